/** @file `parseCheckpoint` on bytes that are not what was written: a typed error, and nothing half loaded. */
import { expect } from 'chai';
import fc from 'fast-check';
import { parseCheckpoint, serializeCheckpoint, tensor, zeros } from '../../../src/index.js';
import { CHECKPOINT } from '../../../src/stream/checkpoint/checkpoint.js';
import { crc32c } from '../../../src/stream/checkpoint/format/crc32c.js';
import { open, seal } from '../../../src/stream/checkpoint/format/envelope.js';
import { anyDamage } from '../../support/damage.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

const bytes = serializeCheckpoint({
  position: 12,
  states: { window: [1, 2, { sum: 3 }], random: { seed: 7, drawn: 40 } },
  params: { w: tensor([[1, 2], [3, 4]]), b: tensor([0.5, 0.25]) }, // prettier-ignore
});
const codeOf = (given: Uint8Array): string => thrownBy(() => parseCheckpoint(given)).code;
const text = new TextDecoder().decode(open(CHECKPOINT, bytes).header);
/** The bytes of a header that says something else, with a right checksum. */
const lying = (header: string, body: readonly Uint8Array[] = [new Uint8Array(24)]): Uint8Array => seal(CHECKPOINT, header, body);
const changed = (from: string, to: string): Uint8Array => {
  expect(text, 'the header says so').to.include(from);
  return lying(text.replace(from, to));
};
const sealedAgain = (given: Uint8Array): Uint8Array => {
  new DataView(given.buffer).setUint32(given.length - 4, crc32c(given.subarray(0, -4)), true);
  return given;
};

/** The codes of every truncation, and of every flipped bit: `step` 1 takes all. */
function damage(whole: Uint8Array, step: number): { readonly found: number; readonly tried: number } {
  let [found, tried] = [0, 0];
  const look = (given: Uint8Array) => {
    tried++;
    if (codeOf(given) === 'E_CKPT_CORRUPT') found++;
  };
  for (let length = 0; length < whole.length; length += step) look(whole.subarray(0, length));
  const flipped = whole.slice();
  for (let bit = 0; bit < whole.length * 8; bit += step) {
    flipped[bit >> 3] ^= 1 << (bit & 7);
    look(flipped);
    flipped[bit >> 3] ^= 1 << (bit & 7);
  }
  return { found, tried };
}

describe('damaged bytes of a checkpoint', () => {
  it('are found wherever they are cut, and whichever bit is flipped (C3) (C4)', () => {
    const { found, tried } = damage(bytes, 1);
    expect([tried, found]).to.deep.equal([bytes.length * 9, bytes.length * 9]);
  });

  it('are found in a file of 64 KiB: 65,536 lengths and 524,288 bits in a soak, a sample otherwise (C3) (C4) (L5)', function () {
    this.timeout(0);
    const large = serializeCheckpoint({ position: 1, w: zeros([(65_536 - 108) / 4]) });
    expect(large.length).to.equal(65_536);
    // Odd, so that every bit of a byte has its turn.
    const { found, tried } = damage(large, propertyRuns(2_047, 61, 1));
    console.log(`    ${tried} damaged files of 64 KiB: ${tried - found} undetected`);
    expect(found).to.equal(tried);
  });

  it('are found where parts are swapped, repeated, zeroed, random or of another checkpoint (C5)', () => {
    const other = serializeCheckpoint({ position: 13, states: {}, params: { w: tensor([[5, 6], [7, 8]]) } }); // prettier-ignore
    const property = fc.property(anyDamage(bytes, other), (broken) => void expect(codeOf(broken)).to.equal('E_CKPT_CORRUPT'));
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(200, 5_000, 200_000) });
  });
});

describe('a header that lies, under a right checksum (C6)', () => {
  const line = '{"dtype":"float32","shape":[2,2]}';
  const table: Readonly<Record<string, Uint8Array>> = {
    'no object': lying('[]'),
    'a number': lying('1'),
    empty: lying(''),
    'cut off': lying(text.slice(0, -1)),
    'two headers': lying(text + text),
    'a comma too many': lying(text.replace('}]}', '},]}')),
    'not UTF-8': sealedAgain(bytes.slice().fill(0xff, 20, 21)),
    'a zero byte in it': sealedAgain(bytes.slice().fill(0, 20, 21)),
    'no sections': changed('"sections"', '"section"'),
    'sections that are a list': lying('{"sections":[],"tensors":[]}', []),
    'sections that are null': lying('{"sections":null,"tensors":[]}', []),
    'sections that are text': lying('{"sections":"x","tensors":[]}', []),
    'no tensors': changed('"tensors"', '"tensor"'),
    'tensors that are an object': lying('{"sections":{},"tensors":{}}', []),
    'tensors that are a number': lying('{"sections":{},"tensors":1}', []),
    'a section twice': changed('"states"', '"position"'),
    'sections twice': changed('"tensors"', '"sections"'),
    'a number that is NaN': changed('12', 'NaN'),
    'a number that overflows': changed('12', '1e999'),
    'a number of the wrong form': changed('12', '012'),
    'a tensor that is not there': changed('"$":1', '"$":2'),
    'a tensor of number −1': changed('"$":1', '"$":-1'),
    'a tensor of number 0.5': changed('"$":1', '"$":0.5'),
    'a tensor of number 1e300': changed('"$":1', '"$":1e300'),
    'a tensor that is a list': changed(line, '[]'),
    'a tensor that is null': changed(line, 'null'),
    'an unknown dtype': changed('"float32"', '"float31"'),
    'a dtype of the prototype': changed('"float32"', '"constructor"'),
    'a dtype that is a number': changed('"float32"', '32'),
    'no dtype': changed('"dtype":"float32",', ''),
    'a dtype twice': changed('"dtype":"float32",', '"dtype":"float32","dtype":"float32",'),
    'no shape': changed(',"shape":[2,2]', ''),
    'a shape that is a number': changed('[2,2]', '4'),
    'a shape of texts': changed('[2,2]', '["2",2]'),
    'a shape in a shape': changed('[2,2]', '[[2,2]]'),
    'a negative size': changed('[2,2]', '[-2,-2]'),
    'a size of 1.5': changed('[2,2]', '[1.5,2]'),
    'more elements than follow': changed('[2,2]', '[2,3]'),
    'fewer elements than follow': changed('[2,2]', '[1,2]'),
    'wider elements than follow': changed('"float32"', '"float64"'),
    'a tensor more than follow': lying(text.replace(line, `${line},${line}`)),
    'a tensor fewer than follow': lying(text.replace(`${line},`, '')),
    'no elements at all': lying(text, []),
    'a hole behind the last tensor': lying(text, [new Uint8Array(32)]),
  };

  it(`is refused: ${Object.keys(table).length} lies`, () => {
    expect(Object.keys(table).length).to.be.at.least(40);
    for (const [what, broken] of Object.entries(table)) {
      const start = performance.now();
      const error = thrownBy(() => parseCheckpoint(broken));
      expect(error.code, what).to.equal('E_CKPT_CORRUPT');
      expect(error.diagnostic.suggestions, what).to.deep.equal(['go on from an earlier checkpoint']);
      expect(performance.now() - start, `${what}: ms`).to.be.lessThan(50);
    }
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('allocates nothing for sizes that it names and does not have', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (const shape of ['[2147483647]', '[65536,65536]', '[1000000000,2]', `[${Array.from({ length: 65 }, () => 1).join()}]`])
      expect(['E_LIMIT', 'E_CKPT_CORRUPT']).to.include(codeOf(changed('[2,2]', shape)));
    for (const length of [0xffffffff, bytes.length, bytes.length - 19]) {
      const long = bytes.slice();
      new DataView(long.buffer).setUint32(12, length, true);
      expect(codeOf(sealedAgain(long)), `a header of ${length} bytes`).to.equal('E_CKPT_CORRUPT');
    }
    expect(codeOf(lying(`{"sections":{"deep":${'['.repeat(200)}${']'.repeat(200)}},"tensors":[]}`, []))).to.equal('E_LIMIT');
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(2 ** 20);
  });

  it('is read in no time where it is 2 MB of spaces', () => {
    const start = performance.now();
    expect(parseCheckpoint(lying(`{${' '.repeat(2 ** 21)}"sections":{},"tensors":[]}`, []))).to.deep.equal(Object.create(null));
    expect(performance.now() - start).to.be.lessThan(500);
  });
});

describe('another version of a checkpoint (C7)', () => {
  it('is refused, older or newer, and the message says which is known', () => {
    for (const version of [0, 2, 0xffffffff]) {
      const other = bytes.slice();
      new DataView(other.buffer).setUint32(8, version, true);
      const error = thrownBy(() => parseCheckpoint(sealedAgain(other)));
      expect(error.code).to.equal('E_CKPT_VERSION');
      expect(error.message).to.match(new RegExp(`version of a checkpoint must be known; expected 1, got ${version}`));
    }
  });

  it('is refused where it requires what is not known, and read where it only adds', () => {
    const more = (member: string) => lying(`${text.slice(0, -1)},${member}}`);
    expect(parseCheckpoint(more('"hints":{"of":["later"]}'))['position']).to.equal(12);
    expect(parseCheckpoint(more('"requires":[]'))['position']).to.equal(12);
    const error = thrownBy(() => parseCheckpoint(more('"requires":["compression"]')));
    expect(error.code).to.equal('E_CKPT_VERSION');
    expect(error.message).to.match(/got \["compression"\]/);
  });
});

describe('parseCheckpoint', () => {
  it("tells a training's state from a checkpoint", () => {
    const state = bytes.slice();
    state.set(new TextEncoder().encode('einstate'));
    expect(thrownBy(() => parseCheckpoint(sealedAgain(state))).message).to.match(/a checkpoint begins with its name/);
  });

  it('reads from anywhere in a buffer, shares no memory with it, and is frozen', () => {
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const got = parseCheckpoint(shifted.subarray(3));
    shifted.fill(0);
    expect(serializeCheckpoint(got)).to.deep.equal(bytes);
    expect(Object.isFrozen(got)).to.equal(true);
  });

  it('reads nothing but a Uint8Array, within limits that are limits', () => {
    for (const given of [undefined, null, text, [...bytes], bytes.buffer, new Float32Array(bytes.length)])
      expect(thrownBy(() => parseCheckpoint(given as never)).code).to.equal('E_ARGUMENT');
    for (const limits of [null, { bytes: -1 }, { tensors: 1.5 }, { values: 'all' }])
      expect(thrownBy(() => parseCheckpoint(bytes, limits as never)).code).to.equal('E_ARGUMENT');
  });
});
