/** @file Shapes before they are known: what a rule says of symbols must hold for every size they may stand for. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Dim, Dims } from '../../../src/ops/dims.js';
import { EinstreamError } from '../../../src/errors/index.js';
import '../../../src/ops/index.js';
import { readParams } from '../../../src/ops/params.js';
import { ops } from '../../../src/ops/registry.js';
import { at, ellipsis, newaxis, range, reversed } from '../../../src/tensor/view/specs.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const infer = (name: string, inputs: readonly (Dims | undefined)[], params: object = {}): Dims | undefined => {
  const { definition } = ops[name];
  return definition.shape(inputs, readParams(definition, params, { op: name }), { op: name });
};

/** Ops with parameters that fit [2, 3, 4], [2, 1, 4] or [2, 3, 0] somewhere. */
const CALLS: readonly (readonly [name: string, params: object])[] = [
  ['sum', { axis: 1 }], ['max', { axis: [0, -1], keepdims: true }], ['argmax', {}], ['softmax', { axis: 1 }], ['layerNorm', { axes: [0, 2] }],
  ['reshape', { shape: [-1] }], ['reshape', { shape: [2, -1] }], ['reshape', { shape: [4, 3, 2] }], ['reshape', { shape: [-1, 12] }], ['reshape', { shape: [2, 3, -1] }], ['reshape', { shape: [null, null] }],
  ['transpose', {}], ['transpose', { perm: [1, 0, 2] }], ['squeeze', {}], ['squeeze', { axis: 1 }], ['unsqueeze', { axis: [0, -1] }],
  ['broadcastTo', { shape: [5, 2, 3, 4] }], ['broadcastTo', { shape: [null, 3, null] }], ['flip', { axis: 2 }],
  ['slice', { specs: [at(1), null, range(1, null)] }], ['slice', { specs: [ellipsis, reversed] }], ['slice', { specs: [newaxis, range(0, null), range(0, 1), at(-1)] }], ['slice', { specs: [range(null, null, -2)] }],
  ['pad', { pads: [[0, 0], [1, 2], [0, 1]], value: 0 }], ['tile', { reps: [2, 1, 3] }], ['tile', { reps: [2, 1, 1, 0] }], ['repeat', { repeats: 2, axis: 1 }], ['repeat', { repeats: 1, axis: 0 }],
  ['concat', { axis: 1 }], ['concat', { axis: -1 }], ['take', { axis: 1 }],
]; // prettier-ignore

const SHAPES = [
  [2, 3, 4],
  [2, 1, 4],
  [2, 3, 0],
  [1, 1, 1],
];
const veil = (shape: readonly number[], mask: readonly number[]): Dims =>
  shape.map((size, axis): Dim => [size, `n${size}`, null][mask[axis]]);
const anyCall = fc.record({
  call: fc.constantFrom(...CALLS),
  shapes: fc.array(fc.constantFrom(...SHAPES), { minLength: 3, maxLength: 3 }),
  masks: fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
  unranked: fc.constantFrom(-1, -1, -1, 0, 1),
});

function attempt(compute: () => Dims | undefined): Dims | undefined | 'refused' {
  try {
    return compute();
  } catch (error) {
    expect(error).to.be.instanceOf(EinstreamError);
    return 'refused';
  }
}

describe('a shape rule', () => {
  it('is right for every size that its symbols may stand for, and refuses only what must fail', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyCall, ({ call: [name, params], shapes, masks, unranked }) => {
        const { minInputs, maxInputs } = ops[name].definition;
        const count = maxInputs === Infinity ? 3 : minInputs;
        const sizes = shapes.slice(0, count);
        const known = attempt(() => infer(name, sizes, params));
        const veiled = attempt(() =>
          infer(
            name,
            sizes.map((shape, k) => (k === unranked ? undefined : veil(shape, masks[k]))),
            params,
          ),
        );
        if (known === 'refused' || known === undefined) return;
        expect(veiled, 'what can succeed is not refused').to.not.equal('refused');
        if (veiled === undefined) return;
        expect((veiled as Dims).length, 'rank').to.equal(known.length);
        (veiled as Dims).forEach((dim, axis) => {
          if (typeof dim === 'number') expect(dim).to.equal(known[axis] ?? dim);
          if (typeof dim === 'string') expect(dim).to.equal(`n${known[axis]}`);
        });
        compared++;
      }),
      { seed: propertySeed(), numRuns: propertyRuns(2000, 20_000, 500_000) },
    );
    expect(compared).to.be.greaterThan(400);
  });

  it('loses nothing that is known', () => {
    expect(infer('reshape', [['n', 28, 28]], { shape: [-1, 784] })).to.deep.equal(['n', 784]);
    expect(infer('reshape', [['n', 4]], { shape: [2, -1] })).to.deep.equal([2, null]);
    expect(infer('reshape', [undefined], { shape: [-1, 3] })).to.deep.equal([null, 3]);
    expect(infer('transpose', [['n', 3, null]])).to.deep.equal([null, 3, 'n']);
    expect(infer('transpose', [undefined], { perm: [1, 0] })).to.deep.equal([null, null]);
    expect(infer('squeeze', [['n', 1]], { axis: 1 })).to.deep.equal(['n']);
    expect(infer('squeeze', [['n', 1]])).to.equal(undefined);
    expect(infer('broadcastTo', [['n', 1]], { shape: [null, 5] })).to.deep.equal(['n', 5]);
    expect(infer('slice', [['n', 3]], { specs: [range(0, null), at(0)] })).to.deep.equal(['n']);
    expect(infer('slice', [['n', 'm', 3]], { specs: [reversed, range(1, null)] })).to.deep.equal(['n', null, 3]);
    expect(
      infer(
        'concat',
        [
          ['n', 2],
          [null, 3],
        ],
        { axis: 1 },
      ),
    ).to.deep.equal(['n', 5]);
    expect(
      infer(
        'concat',
        [
          ['n', 2],
          [7, 'm'],
        ],
        { axis: 1 },
      ),
    ).to.deep.equal([7, null]);
    expect(infer('concat', [['n'], undefined])).to.deep.equal([null]);
    expect(
      infer('pad', [['n', 'm']], {
        pads: [
          [0, 0],
          [1, 1],
        ],
      }),
    ).to.deep.equal(['n', null]);
    expect(infer('tile', [['n', 2]], { reps: [1, 3] })).to.deep.equal(['n', 6]);
    expect(
      infer('take', [
        ['n', 3],
        ['k', 2],
      ]),
    ).to.deep.equal(['k', 2, 3]);
    expect(infer('layerNorm', [['n', 3], [3]])).to.deep.equal(['n', 3]);
  });
});
