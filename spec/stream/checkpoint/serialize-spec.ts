/** @file `serializeCheckpoint` and back: every value that it takes comes back as it was, to the last bit. */
import { expect } from 'chai';
import fc from 'fast-check';
import { of } from 'rxjs';
import {
  add,
  graph,
  input,
  parseCheckpoint,
  run,
  serializeCheckpoint,
  slice,
  range,
  Tensor,
  tensor,
  transpose,
  wrap,
  zeros,
  type Checkpoint,
} from '../../../src/index.js';
import { COMPUTED_DTYPES, STORAGE_DTYPES } from '../../../src/tensor/dtype.js';
import { allocateTensor } from '../../../src/tensor/tensor.js';
import { differentBits } from '../../support/sameBits.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

const back = (checkpoint: Checkpoint): Checkpoint => parseCheckpoint(serializeCheckpoint(checkpoint));
const tensorIn = (checkpoint: Checkpoint, name: string): Tensor => checkpoint[name] as Tensor;

/** Version 1, as it was first written. */
const FIRST =
  '65696e636b70740a01000000c40000007b2273656374696f6e73223a7b22706f736974696f6e223a31322c22737461746573223a7b2277696e64' +
  '6f77223a5b312c2d302c7b2224223a224e614e227d2c226c617465225d7d2c22706172616d73223a7b2277223a7b2224223a307d2c2262223a7b' +
  '2224223a317d7d2c2275736572223a6e756c6c7d2c2274656e736f7273223a5b7b226474797065223a22666c6f61743332222c22736861706522' +
  '3a5b325d7d2c7b226474797065223a22666c6f61743634222c227368617065223a5b5d7d5d7d000000000000c03f000000809a9999999999b93f' +
  'b8f7ab37';

const first: Checkpoint = {
  position: 12,
  states: { window: [1, -0, NaN, 'late'] },
  params: { w: tensor([1.5, -0]), b: tensor(0.1, { dtype: 'float64' }) },
  user: null,
};

describe('serializeCheckpoint', () => {
  it('keeps every bit of tensors of every dtype, flat and as scalars, empty ones and views (C14)', () => {
    for (const dtype of [...COMPUTED_DTYPES, ...STORAGE_DTYPES]) {
      const made = (shape: readonly number[]) => {
        const value = allocateTensor(shape, dtype);
        const bytes = new Uint8Array(value.data.buffer);
        for (let k = 0; k < bytes.length; k++) bytes[k] = dtype === 'bool' ? k & 1 : (k * 37 + 11) & 0xff;
        return value;
      };
      const given = { flat: made([2, 3]), scalar: made([]), empty: made([0, 3]), view: slice(transpose(made([4, 6])), null, range(1, null, 2)) }; // prettier-ignore
      const got = back(given);
      for (const [name, value] of Object.entries(given))
        expect(differentBits(tensorIn(got, name), value), `${dtype}, ${name}`).to.equal(undefined);
      expect(tensorIn(got, 'view').isContiguous, 'a view is packed').to.equal(true);
    }
  });

  it('keeps the payloads of NaNs, −0 and infinities (C14)', () => {
    const bits = new Uint32Array([0x7fc12345, 0xffc00001, 0x7f800001, 0x80000000, 0x7f800000, 1]);
    const got = tensorIn(back({ odd: wrap(new Float32Array(bits.buffer)) }), 'odd');
    expect([...new Uint32Array((got.data as Float32Array).slice().buffer)]).to.deep.equal([...bits]);
  });

  it('keeps every plain value, with tensors anywhere in it', () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('record')),
      leaf: fc.oneof(
        fc.double(),
        fc.integer(),
        fc.constantFrom(-0, NaN, Infinity, -Infinity, 2 ** 53, 1e21, 5e-324),
        fc.boolean(),
        fc.constant(null),
        fc.string({ unit: 'grapheme' }),
        fc.float32Array({ maxLength: 4 }).map((array) => tensor(array)),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$', '__proto__', 'constructor', '7')), tie('value'), {
        maxKeys: 4,
        noNullPrototype: false,
      }),
    })).value;
    const property = fc.property(value, (given) => {
      const got = back({ it: given })['it'];
      expect(plainly(got)).to.deep.equal(plainly(given));
    });
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(100, 5_000, 200_000) });
  });

  it('writes a tensor that it meets twice once, and gives it back as one', () => {
    const w = zeros([1000]);
    const bytes = serializeCheckpoint({ a: { w }, b: [w] });
    expect(bytes.length).to.be.lessThan(4_300);
    const { a, b } = parseCheckpoint(bytes) as { a: { w: Tensor }; b: [Tensor] };
    expect(a.w).to.equal(b[0]);
  });

  it('gives equal bytes for equal checkpoints, and leaves out what is undefined', () => {
    expect(serializeCheckpoint({ ...first, more: undefined })).to.deep.equal(serializeCheckpoint(first));
  });

  it('is read as long as its version is (C7)', () => {
    const bytes = serializeCheckpoint(first);
    expect(Buffer.from(bytes).toString('hex')).to.equal(FIRST);
    expect(serializeCheckpoint(parseCheckpoint(Uint8Array.from(Buffer.from(FIRST, 'hex'))))).to.deep.equal(bytes);
  });

  it('takes names that mean something to JavaScript as any other, and touches no prototype', () => {
    const given = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "toString": [3]}') as Checkpoint;
    const got = back(given);
    expect(Object.keys(got)).to.deep.equal(['__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect(Object.getPrototypeOf(got)).to.equal(null);
  });

  it('refuses what would not come back', () => {
    for (const strange of [new Map(), new Date(0), new (class Own {})(), new Uint8Array(2), () => 1, Symbol('s'), 1n]) {
      const error = thrownBy(() => serializeCheckpoint({ states: { window: strange } }));
      expect(error.code).to.equal('E_ARGUMENT');
      expect(error.message).to.match(/plain value/);
    }
    for (const none of [undefined, null, [], 'text', 7, new Map()])
      expect(thrownBy(() => serializeCheckpoint(none as never)).code).to.equal('E_ARGUMENT');
    expect(thrownBy(() => serializeCheckpoint({ '': 1 })).code).to.equal('E_NAME');
    const circle: unknown[] = [];
    circle.push(circle);
    expect(thrownBy(() => serializeCheckpoint({ circle })).code).to.equal('E_LIMIT');
  });

  it('refuses a tensor that was borrowed', () => {
    const g = graph({ x: input([]) }, ({ x }) => ({ y: add(x, 1) }));
    let borrowed: Tensor | undefined;
    of({ x: 1 })
      .pipe(run(g, { outputs: 'borrow' }))
      .subscribe(({ y }) => (borrowed = y));
    expect(thrownBy(() => serializeCheckpoint({ borrowed })).code).to.equal('E_STALE');
  });

  it('keeps to the limits to which it is read, each inclusive', () => {
    const bytes = serializeCheckpoint(first);
    // Four sections, one of which is two records around two tensors, one a record around a list of four.
    for (const [limits, beyond] of [
      [{ bytes: bytes.length }, { bytes: bytes.length - 1 }],
      [{ tensors: 2 }, { tensors: 1 }],
      [{ values: 9 }, { values: 8 }],
    ] as const) {
      expect(serializeCheckpoint(first, limits)).to.deep.equal(bytes);
      expect(parseCheckpoint(bytes, limits)['position']).to.equal(12);
      expect(thrownBy(() => serializeCheckpoint(first, beyond)).code).to.equal('E_LIMIT');
      if (!('values' in beyond)) expect(thrownBy(() => parseCheckpoint(bytes, beyond)).code).to.equal('E_LIMIT');
    }
  });
});

/** Equal for equal values: −0 is not 0, records have no prototype, tensors are bits. */
function plainly(value: unknown): unknown {
  if (Object.is(value, -0)) return '−0';
  if (value instanceof Tensor)
    return { dtype: value.dtype, shape: value.shape, bits: [...new Uint8Array(value.data.slice().buffer)] };
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => [name, plainly(item)]);
}
