/** @file `parseState` on bytes that are not what was written: a typed error, and nothing half loaded. */
import { expect } from 'chai';
import fc from 'fast-check';
import { parseState, serializeState, tensor, type TrainState } from '../../../src/index.js';
import { crc32c } from '../../../src/stream/checkpoint/format/crc32c.js';
import { open, seal } from '../../../src/stream/checkpoint/format/envelope.js';
import { STATE } from '../../../src/train/saved/kind.js';
import { anyDamage } from '../../support/damage.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { thrownBy } from '../../support/thrownBy.js';

const state: TrainState = {
  step: 12,
  batches: 12,
  optimizer: 'adam',
  lossScale: 1,
  steady: 12,
  params: { w: tensor([[1, 2], [3, 4]]), b: tensor([0.5, 0.25]) }, // prettier-ignore
  slots: { 'w mean': tensor([[1, 2], [3, 4]]), 'b mean': tensor([0, 0]) }, // prettier-ignore
};
const bytes = serializeState(state);
const codeOf = (given: Uint8Array): string => thrownBy(() => parseState(given)).code;

const text = new TextDecoder().decode(open(STATE, bytes).header);
/** The bytes of a header that says something else, with a right checksum. */
const lying = (header: string, body: readonly Uint8Array[] = [new Uint8Array(48)]): Uint8Array => seal(STATE, header, body);
const changed = (from: string, to: string): Uint8Array => {
  expect(text, 'the header says so').to.include(from);
  return lying(text.replace(from, to));
};

describe('damaged bytes of a state', () => {
  it('are found wherever they are cut (C3)', () => {
    for (let length = 0; length < bytes.length; length++) expect(codeOf(bytes.subarray(0, length))).to.equal('E_CKPT_CORRUPT');
  });

  it('are found whichever bit is flipped (C4)', () => {
    const flipped = bytes.slice();
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      flipped[bit >> 3] ^= 1 << (bit & 7);
      expect(codeOf(flipped), `bit ${bit}`).to.equal('E_CKPT_CORRUPT');
      flipped[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(parseState(flipped).step).to.equal(12);
  });

  it('are found where parts are swapped, repeated, zeroed, random or of another state (C5)', () => {
    const other = serializeState({ ...state, step: 13, params: { w: tensor([[5, 6], [7, 8]]), b: tensor([1, 1]) } }); // prettier-ignore
    const property = fc.property(anyDamage(bytes, other), (broken) => void expect(codeOf(broken)).to.equal('E_CKPT_CORRUPT'));
    fc.assert(property, { seed: propertySeed(), numRuns: propertyRuns(200, 5_000, 200_000) });
  });
});

describe('a header that lies, under a right checksum (C6)', () => {
  const table: Readonly<Record<string, Uint8Array>> = {
    'no object': lying('[]'),
    'cut off': lying(text.slice(0, -1)),
    'two headers': lying(text + text),
    empty: lying(''),
    'not UTF-8': seal(STATE, '{"step":1}', []).map((byte, at) => (at === 18 ? 0xff : byte)),
    'no params': lying(text.replace('"params"', '"parameters"')),
    'no step': changed('"step":12,', ''),
    'a step of −1': changed('"step":12', '"step":-1'),
    'a step of 1.5': changed('"step":12', '"step":1.5'),
    'a step beyond 2⁵³': changed('"step":12', '"step":9007199254740993'),
    'a step that is text': changed('"step":12', '"step":"12"'),
    'a loss scale of 0': changed('"lossScale":1', '"lossScale":0'),
    'a loss scale that overflows': changed('"lossScale":1', '"lossScale":1e999'),
    'an optimizer that is a number': changed('"optimizer":"adam"', '"optimizer":1'),
    'notes that are text': changed('"params"', '"notes":"x","params"'),
    'a key twice': changed('"batches":12', '"step":12'),
    'a param twice': changed('"b":', '"w":'),
    'an unknown dtype': changed('"float32"', '"float31"'),
    'no dtype': changed('"dtype":"float32",', ''),
    'no shape': changed(',"shape":[2,2]', ''),
    'a negative size': changed('[2,2]', '[-2,-2]'),
    'a size of 1.5': changed('[2,2]', '[1.5,2]'),
    'more elements than follow': changed('[2,2]', '[2,3]'),
    'fewer elements than follow': changed('[2,2]', '[1,2]'),
    'a hole in front of the last tensor': lying(text, [new Uint8Array(56)]),
    'no elements at all': lying(text, []),
  };
  for (const [what, broken] of Object.entries(table)) {
    it(`is refused: ${what}`, () => {
      const view = new DataView(broken.buffer);
      view.setUint32(broken.length - 4, crc32c(broken.subarray(0, -4)), true);
      const error = thrownBy(() => parseState(broken));
      expect(error.code).to.equal('E_CKPT_CORRUPT');
      expect(error.diagnostic.suggestions).to.deep.equal(['go on from an earlier state']);
    });
  }

  it('allocates nothing for sizes that it names and does not have', () => {
    for (const shape of ['[2147483647]', '[65536,65536]', '[1000000000,2]', `[${Array.from({ length: 65 }, () => 1).join()}]`])
      expect(['E_LIMIT', 'E_CKPT_CORRUPT']).to.include(codeOf(changed('[2,2]', shape)));
    const long = bytes.slice();
    new DataView(long.buffer).setUint32(12, 0xffffffff, true);
    new DataView(long.buffer).setUint32(long.length - 4, crc32c(long.subarray(0, -4)), true);
    expect(codeOf(long)).to.equal('E_CKPT_CORRUPT');
  });

  it('may say what a later minor change adds: unknown members are left alone', () => {
    expect(parseState(changed('"step":12', '"step":12,"more":{"than":[1]}')).step).to.equal(12);
  });
});

describe('parseState', () => {
  it('refuses another version, and says which it knows (C7)', () => {
    const newer = bytes.slice();
    new DataView(newer.buffer).setUint32(8, 2, true);
    new DataView(newer.buffer).setUint32(newer.length - 4, crc32c(newer.subarray(0, -4)), true);
    const error = thrownBy(() => parseState(newer));
    expect(error.code).to.equal('E_CKPT_VERSION');
    expect(error.message).to.match(/version of a state must be known; expected 1, got 2/);
  });

  it('keeps to limits, each inclusive', () => {
    expect(parseState(bytes, { bytes: bytes.length, tensors: 4 }).step).to.equal(12);
    expect(thrownBy(() => parseState(bytes, { bytes: bytes.length - 1 })).code).to.equal('E_LIMIT');
    expect(thrownBy(() => parseState(bytes, { tensors: 3 })).message).to.match(/at most 3, got 4/);
    for (const limits of [null, { bytes: -1 }, { tensors: 1.5 }, { bytes: 'all' }])
      expect(thrownBy(() => parseState(bytes, limits as never)).code).to.equal('E_ARGUMENT');
  });

  it('reads nothing but a Uint8Array', () => {
    for (const given of [undefined, null, text, [...bytes], bytes.buffer, new Float32Array(bytes.length)])
      expect(thrownBy(() => parseState(given as never)).code).to.equal('E_ARGUMENT');
  });
});
