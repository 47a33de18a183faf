import { expect } from 'chai';
import fc from 'fast-check';
import { EinstreamError } from '../../../src/errors/index.js';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { numElements, tensor, type Shape } from '../../../src/tensor/index.js';
import { contractAlong } from '../../support/contractAlong.js';
import { leastTime } from '../../support/leastTime.js';
import { propertyRuns, propertySeed } from '../../support/property.js';

const LIMIT_MS = 50;

/** What became of a spec: a value, or the code of a typed error. Any other error passes through. */
function outcome(spec: string, shapes: readonly Shape[] | undefined): string {
  try {
    const parsed = parseEinsum(spec);
    const given = shapes ?? parsed.inputs.map((term) => term.labels.map(() => 1));
    const { contraction, output } = resolveEinsum(parsed, given);
    numElements(output as Shape);
    contractionPath(contraction!);
    const size = given.reduce((sum, shape) => sum + shape.reduce((product, n) => product * n, 1), 0);
    if (size > 1000) return 'planned';
    contractAlong(
      contraction!,
      given.map((shape) => tensor(new Float64Array(shape.reduce((product, n) => product * n, 1)).fill(1), { shape: [...shape] })),
      'float64',
    );
    return 'value';
  } catch (error) {
    if (error instanceof EinstreamError) return error.code;
    throw error;
  }
}

/** The outcome, had in time. */
function timed(spec: string, shapes?: readonly Shape[]): string {
  let result = '';
  const took = leastTime(LIMIT_MS, () => (result = outcome(spec, shapes)));
  expect(took, `ms for ${spec.slice(0, 40)}`).to.be.at.most(LIMIT_MS);
  return result;
}

describe('einsum of any text (G8)', () => {
  it('gives a value or a typed error within 50 ms, for the inputs of the table', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const table: readonly (readonly [spec: string, result: string, shapes?: readonly Shape[]])[] = [
      ['a'.repeat(100_000), 'E_LIMIT'],
      ['a,'.repeat(50_000), 'E_LIMIT'],
      [' '.repeat(100_000), 'value'],
      [`${' '.repeat(99_999)}!`, 'E_PARSE'],
      ['.'.repeat(100_000), 'E_PARSE'],
      ['-'.repeat(100_000), 'E_PARSE'],
      [`${letters}${letters.slice(0, 8)}`, 'value'],
      ['ij->ii', 'E_PARSE'],
      ['ij->ik', 'E_PARSE'],
      ['...i...', 'E_PARSE'],
      ['i  j   ->   j i', 'value'],
      ['i->j->k', 'E_PARSE'],
      ['ïj,jk', 'E_PARSE'],
      ['𝒊', 'E_PARSE'],
      ['\ud800', 'E_PARSE'],
      ['i\u0000j', 'E_PARSE'],
      ['__proto__', 'E_PARSE'],
      ['constructor', 'value'],
      [
        'ij,jk->ik',
        'E_SHAPE',
        [
          [2, 3],
          [4, 5],
        ],
      ],
      ['ii', 'E_SHAPE', [[2, 3]]],
      [
        `${[...letters]
          .slice(0, 26)
          .map((l) => l + l.toUpperCase())
          .join(',')}->`,
        'value',
        Array.from({ length: 26 }, () => [2, 2]),
      ],
      [[...letters].map((l, i) => l + letters[(i + 1) % 52]).join(','), 'value', Array.from({ length: 52 }, () => [2, 2])],
      [[...letters].join(','), 'E_LIMIT', Array.from({ length: 52 }, () => [2])],
      ['a,b,c,d->abcd', 'E_LIMIT', [[65536], [65536], [65536], [65536]]],
    ];
    for (const [spec, result, shapes] of table)
      expect([spec.slice(0, 30), timed(spec, shapes)]).to.deep.equal([spec.slice(0, 30), result]);
  });

  it('gives a value or a typed error within 50 ms, for random texts', () => {
    const near = fc
      .array(fc.constantFrom(...'iijjkAZ', ',', ',', '->', '...', ' ', '.', '-', '>', '\t', 'é'), { maxLength: 24 })
      .map((parts) => parts.join(''));
    const shape = fc.array(fc.nat(3), { maxLength: 4 });
    const shapes = fc.option(fc.array(shape, { maxLength: 4 }), { nil: undefined });
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.oneof({ arbitrary: near, weight: 4 }, fc.string({ unit: 'binary', maxLength: 40 })),
        shapes,
        (spec, given) => {
          seen.add(timed(spec, given));
        },
      ),
      { seed: propertySeed(), numRuns: propertyRuns(3_000, 20_000, 200_000) },
    );
    expect([...seen].sort()).to.include.members(['E_ARGUMENT', 'E_PARSE', 'E_SHAPE', 'value']);
  });
});
