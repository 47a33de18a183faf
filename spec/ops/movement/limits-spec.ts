/** @file Small graphs that ask for huge results end before anything is allocated. */
import { expect } from 'chai';
import { EinstreamError } from '../../../src/errors/index.js';
import { broadcastTo, concat, pad, repeat, take, tile, unsqueeze } from '../../../src/ops/index.js';
import { ops } from '../../../src/ops/registry.js';
import { readParams } from '../../../src/ops/params.js';
import { ones, zeros } from '../../../src/tensor/fill.js';

const small = ones([1000]);
const HUGE = 1e9;

const AMPLIFIERS: Readonly<Record<string, () => unknown>> = {
  'tile 1e3 → 1e12': () => tile(small, { reps: HUGE }),
  'tile along many axes': () => tile(small, { reps: new Array<number>(12).fill(10) }),
  'repeat 1e3 → 1e12': () => repeat(small, { repeats: HUGE, axis: 0 }),
  'pad 1e3 → 1e12': () => pad(small, { pads: [[HUGE, HUGE * 999]] }),
  'broadcastTo 1 → 1e12': () => broadcastTo(ones([]), { shape: [1e6, 1e6] }),
  'broadcastTo 1 → 2^53': () => broadcastTo(ones([]), { shape: [2 ** 53 - 1] }),
  'take of many rows': () => take(ones([1, 1000]), broadcastTo(zeros([], { dtype: 'int32' }), { shape: [1e9] })),
  'concat of stretched tensors': () =>
    concat([broadcastTo(ones([1]), { shape: [2e9] }), broadcastTo(ones([1]), { shape: [2e9] })]),
  'too many axes': () => unsqueeze(small, { axis: Array.from({ length: 100 }, (_, axis) => axis) }),
};

describe('amplification', () => {
  for (const [name, amplify] of Object.entries(AMPLIFIERS)) {
    it(`by ${name} is E_LIMIT at once, and allocates nothing (G5)`, () => {
      const before = process.memoryUsage().arrayBuffers;
      const start = performance.now();
      expect(amplify).to.throw(EinstreamError).with.property('code', 'E_LIMIT');
      expect(performance.now() - start, 'ms').to.be.lessThan(50);
      expect(process.memoryUsage().arrayBuffers - before, 'bytes').to.be.at.most(1e6);
    });
  }

  it('is seen where a size is not known yet, from those that are (G5)', () => {
    const dimsAfter = (name: string, dims: readonly (number | string)[], params: object) => {
      const { definition } = ops[name];
      return definition.shape([dims], readParams(definition, params, { op: name }), { op: name, place: 'big' });
    };
    expect(() => dimsAfter('tile', ['n', 1000], { reps: [1, HUGE] }))
      .to.throw(EinstreamError, /"big".*limit/)
      .with.property('code', 'E_LIMIT');
    expect(() => dimsAfter('pad', ['n'], { pads: [[HUGE, HUGE * 3]] }))
      .to.throw(EinstreamError, /"big"/)
      .with.property('code', 'E_LIMIT');
    expect(() => dimsAfter('broadcastTo', ['n', 1], { shape: [null, HUGE * 3] }))
      .to.throw(EinstreamError, /"big"/)
      .with.property('code', 'E_LIMIT');
  });
});
