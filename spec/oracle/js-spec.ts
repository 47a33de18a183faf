/** @file The corpus through graphs on the `js` backend: generated and interpreted kernels, fused and not, in both precisions. */
import { expect } from 'chai';
import {
  EinstreamError,
  environment,
  evaluateSync,
  graph,
  inferShapes,
  input,
  js,
  neg,
  ones,
  reshape,
  where,
} from '../../src/index.js';
import { counting } from '../support/countingBackend.js';
import { isLarge } from '../support/property.js';
import { COMPUTED_FAMILIES, computeCase, type ComputedFamily } from './computeCase.js';
import { compareValues, judge, loadCases, readFamily, titleOf, type Case } from './corpus.js';
import { culpritOf } from './culprits.js';
import { inOtherPrecision, withRounding } from './otherPrecision.js';

/** Sizes are open, so the kernel before the rule's own is there to run. */
const countRuns = (c: Case): number => {
  const { backend, runs } = counting(kinds.interpreted);
  computeCase('einsum', c, backend, { sizes: 'open' });
  return runs();
};

/** A page may forbid generated code: then there is one kind. */
const kinds = {
  ...(environment().codeGeneration ? { generated: js({ kernels: 'generate' }) } : {}),
  interpreted: js({ kernels: 'interpret' }),
};
const bugs = readFamily('bugs') as readonly { readonly id: string; readonly area: string; readonly case: Case | null }[];

/** Judges every case and prints how many agree; fails with all that do not. */
function everyCase(title: string, cases: readonly Case[], verdict: (c: Case) => string | undefined): void {
  it(title, () => {
    const wrong = cases.flatMap((c) => {
      const message = verdict(c);
      return message === undefined ? [] : [`${titleOf(c)}: ${message}`];
    });
    console.log(`        ${title}: ${cases.length - wrong.length}/${cases.length}`);
    expect(wrong).to.deep.equal([]);
    expect(cases).to.not.have.length(0);
  });
}

/** A short run takes every case once, on generated kernels, and of the rest every fifth. */
const chosen = (cases: readonly Case[], isMain = false): readonly Case[] =>
  isLarge() || isMain ? cases : cases.filter((_, at) => at % 5 === 0);

for (const [kind, backend] of Object.entries(kinds)) {
  describe(`the corpus on js, ${kind}`, () => {
    for (const family of COMPUTED_FAMILIES) {
      const cases = loadCases(family);
      everyCase(`${family}, ${kind}, level none, sizes known when fed`, chosen(cases), (c) =>
        judge(c, () => computeCase(family, c, backend, { level: 'none', sizes: 'open' })),
      );
      everyCase(`${family}, ${kind}, level standard, sizes declared`, chosen(cases, kind === 'generated'), (c) =>
        judge(c, () => computeCase(family, c, backend, { level: 'standard' })),
      );
      const others = chosen(cases)
        .map(inOtherPrecision)
        .filter((c) => c !== undefined);
      everyCase(`${family}, ${kind}, in the other precision where its inputs are exact in it`, others, (c) => {
        const got = computeCase(family, c, backend, {});
        return compareValues(got, c.expected as never, withRounding(c), got.dtype === 'float32');
      });
    }

    everyCase(
      `reported faults of einsum, reduce and runtime that have values, ${kind}`,
      bugs.flatMap(({ id, area, case: c }) =>
        c !== null && ['einsum', 'reduce', 'runtime'].includes(area) ? [{ ...c, id }] : [],
      ),
      (c) => judge(c, () => computeCase(c.kind as ComputedFamily, c, backend, {})),
    );

    for (const family of ['einsum', 'binary', 'reduce', 'view'] as const) {
      for (const sizes of ['declared', 'open'] as const) {
        const errors = loadCases(family).filter((c) => c.expected.error !== undefined);
        everyCase(`${family}, ${kind}: errors name the culprit before any kernel runs, sizes ${sizes}`, errors, (c) => {
          const { backend: counted, runs } = counting(backend);
          const fails = () => computeCase(family, c, counted, { sizes });
          expect(fails, c.id).to.throw(EinstreamError, culpritOf(family, c));
          return runs() === 0 ? undefined : `${runs()} kernels ran`;
        });
      }
    }
  });
}

it('the count of kernels sees those that run', () => {
  const good = loadCases('einsum').find((c) => c.expected.error === undefined && c.inputs.length === 2)!;
  expect(countRuns(good)).to.equal(2);
});

describe('reported faults of shapes, in graphs on js', () => {
  it('bug-115, bug-118: reshape keeps its rank where sizes are open, and makes [1] of a scalar', () => {
    const open = graph({ x: input(['a', 'b', 'c']) }, ({ x }) => ({ y: reshape(x, { shape: [null, null, null] }) }));
    expect(inferShapes(open, { x: [2, 3, 4] }).get('y')).to.have.length(3);
    const scalar = graph({ x: input([]) }, ({ x }) => ({ y: reshape(x, { shape: [-1] }) }));
    expect(evaluateSync(scalar, { x: 7 }).y.toArray()).to.deep.equal([7]);
  });

  it('bug-117: a size that broadcasts keeps its name, and may be 1 or the whole', () => {
    const chooses = graph({ c: input(['A', 1]), x: input([4, 5]) }, ({ c, x }) => ({ y: where(c, x, neg(x)), c }));
    for (const size of [1, 4]) {
      const feeds = { c: ones([size, 1]), x: ones([4, 5]) };
      const shapes = inferShapes(chooses, { c: [size, 1], x: [4, 5] });
      expect([shapes.get('y'), shapes.get('c')]).to.deep.equal([[4, 5], [size, 1]]); // prettier-ignore
      expect(evaluateSync(chooses, feeds).y.shape).to.deep.equal([4, 5]);
    }
  });
});
