import { expect } from 'chai';
import '../../src/ops/index.js';
import { EinstreamError } from '../../src/errors/index.js';
import { contractNaive } from '../../src/ops/einsum/contract.js';
import { parseEinsum } from '../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../src/ops/einsum/resolve.js';
import { ops } from '../../src/ops/registry.js';
import { allocateTensor, tensor, transposeView, type Shape, type Tensor } from '../../src/tensor/index.js';
import { contractAlong } from '../support/contractAlong.js';
import { judge, loadCases, readFamily, titleOf, type Case } from './corpus.js';
import { culpritOf } from './culprits.js';
import { computeEinsum, eagerly, type Apply } from './families.js';
import { tally } from './tally.js';

const loop: Apply = (_op, tensors, params) => {
  const { contraction, output } = resolveEinsum(
    parseEinsum(params!['spec'] as string),
    tensors.map((t) => t.shape),
  );
  const out = allocateTensor(output as Shape, 'float64');
  contractNaive(contraction!, tensors, out);
  return out;
};
const along =
  (strategy: 'greedy' | 'optimal' | 'none'): Apply =>
  (_op, tensors, params) => {
    const { contraction } = resolveEinsum(
      parseEinsum(params!['spec'] as string),
      tensors.map((t) => t.shape),
    );
    return contractAlong(contraction!, tensors, 'float64', { strategy });
  };

describe('the einsum family of the corpus', () => {
  const total = tally('einsum');

  for (const c of loadCases('einsum')) {
    it(titleOf(c), () => {
      total.check(c, () => computeEinsum(c, eagerly));
      if (c.expected.error !== undefined)
        expect(() => computeEinsum(c, eagerly)).to.throw(EinstreamError, culpritOf('einsum', c));
    });
  }

  it('agrees in the plain loop, and along every order of contraction (F147)', () => {
    for (const apply of [loop, along('none'), along('greedy'), along('optimal')]) {
      for (const c of loadCases('einsum'))
        expect(
          judge(c, () => computeEinsum(c, apply)),
          c.id,
        ).to.equal(undefined);
    }
  });
});

interface Bug {
  readonly id: string;
  readonly area: string;
  readonly symptom: string;
  readonly case: Case | null;
}

describe('einsum does not repeat faults that users found in other engines', () => {
  const bugs = (readFamily('bugs') as readonly Bug[]).filter(
    ({ area, case: c }) => (area === 'einsum' || area === 'runtime') && c !== null,
  );

  it('(there are 15 with values)', () => expect(bugs).to.have.length(15));

  for (const { id, symptom, case: c } of bugs) {
    it(`${id} · ${c!.spec} · ${symptom}`, () => {
      for (const apply of [eagerly, loop, along('none'), along('greedy'), along('optimal')]) {
        expect(judge({ ...c!, id }, () => computeEinsum(c!, apply))).to.equal(undefined);
      }
    });
  }

  it('bug-003, bug-013, bug-018: and their relatives', () => {
    const relatives: readonly (readonly [string, readonly (readonly [Shape, readonly number[]])[], readonly number[]])[] = [
      [
        'i,i',
        [
          [[2], [1, -1]],
          [[1], [7]],
        ],
        [0],
      ],
      ['iij->i', [[[2, 2, 4], Array.from({ length: 16 }, (_, i) => i)]], [6, 54]],
      [
        'i,i->',
        [
          [[1], [5]],
          [[0], []],
        ],
        [0],
      ],
    ];
    for (const [spec, inputs, data] of relatives) {
      for (const apply of [eagerly, loop, along('none'), along('greedy'), along('optimal')]) {
        const got = computeEinsum(
          { spec, inputs: inputs.map(([shape, values]) => ({ shape, data: values, dtype: 'float64' })) } as unknown as Case,
          apply,
        );
        expect([...got.data], spec).to.deep.equal(data);
      }
    }
  });

  it('bug-010: a product of transposed views does not depend on their size', () => {
    for (const n of [3, 64]) {
      const data = Float64Array.from({ length: n * n }, (_, i) => (i * 7) % 11);
      const a = transposeView(tensor(data, { shape: [n, n] }), [1, 0]);
      const copy = tensor(a.data.slice(), { shape: [n, n] });
      const x = ops['einsum']('ij,jk->ik', a, a) as Tensor;
      expect([...x.data]).to.deep.equal([...(ops['einsum']('ij,jk->ik', copy, copy) as Tensor).data]);
    }
  });
});
