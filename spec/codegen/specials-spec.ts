/** @file The special numbers through the engine, in every op and every position: against mpmath, NumPy and the evaluator. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  evaluateSync,
  graph,
  input,
  js,
  ops,
  type Backend,
  type ComputedDType,
  type GraphSymbol,
  type Tensor,
} from '../../src/index.js';
import { evaluateOp } from '../../src/ops/evaluate.js';
import { isElementwise } from '../../src/ops/fused.js';
import type { AnyOp, Params } from '../../src/ops/op.js';
import { readParams } from '../../src/ops/params.js';
import { allOps } from '../../src/ops/registry.js';
import { arrayOf } from '../../src/tensor/dtype.js';
import { tensorOver } from '../../src/tensor/tensor.js';
import { decode, type CaseNumber } from '../oracle/corpus.js';
import { applyInGraph } from '../oracle/throughGraph.js';
import { differentBits } from '../support/sameBits.js';

type Row = readonly CaseNumber[];
interface Golden {
  readonly specials: Row;
  readonly unary: Readonly<Record<string, Row>>;
  readonly binary: Readonly<Record<string, readonly Row[]>>;
  readonly ops: Pick<Golden, 'unary' | 'binary'>;
}

const golden = JSON.parse(readFileSync(new URL('../ops/specials.json', import.meta.url), 'utf8')) as Golden;
const specials = golden.specials.map(decode);
/** Scalar functions whose op has another name. */
const OP_OF: Readonly<Record<string, string>> = { not: 'logicalNot', min: 'minimum', max: 'maximum', eq: 'equal', ne: 'notEqual', lt: 'less', le: 'lessEqual', gt: 'greater', ge: 'greaterEqual', and: 'logicalAnd', or: 'logicalOr', xor: 'logicalXor' }; // prettier-ignore
const opNamed = (fn: string): string => OP_OF[fn] ?? fn;
/** NumPy leaves the sign of a zero to the processor here. */
const UNSIGNED = new Set(['sign', 'minimum', 'maximum', 'squaredDifference']);

const kinds: Readonly<Record<string, Backend>> = {
  generated: js({ kernels: 'generate' }),
  interpreted: js({ kernels: 'interpret' }),
};
/** Each special beside each: 144 pairs. */
const pairs = specials.flatMap((x) => specials.map((y) => [x, y] as const));
const laid = (values: readonly number[], dtype: ComputedDType): Tensor => {
  const array = new (arrayOf(dtype))(values.length) as Float64Array;
  values.forEach((value, i) => (array[i] = dtype === 'bool' ? Number(value !== 0) : value));
  return tensorOver(array, dtype, [values.length]);
};

function wrongCells(name: string, got: Tensor, want: Row): readonly string[] {
  return want.flatMap((text, i) => {
    const [is, wanted] = [Number(got.data[i]), decode(text)];
    const exact = Number.isNaN(wanted) || !Number.isFinite(wanted) || wanted === 0;
    const same = exact
      ? Object.is(is, wanted) || (UNSIGNED.has(name) && is === 0 && wanted === 0)
      : Math.abs(is - wanted) <= Math.max(2e-15 * Math.abs(wanted), Number.MIN_VALUE);
    return same ? [] : [`${name} [${i}] expected ${text}, got ${is}`];
  });
}

/** Parameters that an op of one parameter needs to be told. */
const paramsOf = (op: AnyOp): readonly Params[] =>
  op.name === 'cast'
    ? (['bool', 'int32', 'float32', 'float64'] as const).map((dtype) => ({ dtype }))
    : op.name === 'clip'
      ? [{}, { min: -1, max: 2 }, { min: NaN }, { min: -0, max: 0 }]
      : [{}];

const elementwise = allOps().filter((op) => isElementwise(op) && op.name !== 'fused');

for (const [kind, backend] of Object.entries(kinds)) {
  const apply = applyInGraph(backend);

  describe(`the special numbers, kernels ${kind} (N1)`, () => {
    it('are what mpmath and NumPy say, in 49 unary ops and all pairs of 23 binary ones', () => {
      const unary = Object.entries({ ...golden.unary, ...golden.ops.unary });
      const binary = Object.entries({ ...golden.binary, ...golden.ops.binary });
      const wrong = [
        ...unary.flatMap(([fn, want]) => wrongCells(opNamed(fn), apply(opNamed(fn), [laid(specials, 'float64')]), want)),
        ...binary.flatMap(([fn, rows]) => {
          const operands = [0, 1].map((k) => laid(pairs.map((pair) => pair[k]), 'float64')); // prettier-ignore
          return wrongCells(opNamed(fn), apply(opNamed(fn), operands), rows.flat());
        }),
      ];
      const cells = unary.length * 12 + binary.length * 144;
      console.log(`      ${cells - wrong.length}/${cells} cells of ${unary.length} unary and ${binary.length} binary ops`);
      expect(wrong).to.deep.equal([]);
      expect([unary.length, binary.length]).to.deep.equal([49, 23]);
    });

    it('give the bits of the evaluator in every elementwise op and dtype, in each position', () => {
      let cells = 0;
      for (const op of elementwise) {
        for (const dtype of ['float32', 'float64', 'int32', 'bool'] as const) {
          const columns = [pairs.map(([x]) => x), pairs.map(([, y]) => y), pairs.map(([x, y]) => x + y)];
          const operands = columns.slice(0, op.minInputs).map((column) => laid(column, dtype));
          for (const params of paramsOf(op)) {
            const want = evaluateOp(op, operands, readParams(op, params, { op: op.name }));
            expect(differentBits(apply(op.name, operands, params), want), `${op.name} ${dtype}`).to.equal(undefined);
            cells += want.size;
          }
        }
      }
      console.log(`      ${cells}/${cells} cells of ${elementwise.length} elementwise ops`);
    });

    it('fold in pairs as the binary op of that name says', () => {
      const rows = laid(pairs.flat(), 'float64');
      const shaped = tensorOver(rows.data, 'float64', [144, 2]);
      const operands = [0, 1].map((k) => laid(pairs.map((pair) => pair[k]), 'float64')); // prettier-ignore
      for (const [fold, binary] of [
        ['max', 'maximum'],
        ['min', 'minimum'],
        ['prod', 'mul'],
      ] as const) {
        // prettier-ignore
        expect(differentBits(apply(fold, [shaped], { axis: 1 }), apply(binary, operands)), fold).to.equal(undefined);
      }
      const [sums, added] = [apply('sum', [shaped], { axis: 1 }), apply('add', operands)];
      // A sum starts from 0, so it alone loses the sign of −0 + −0.
      added.data.forEach((value, i) => expect(Number(sums.data[i])).to.deep.equal(Number(value) + 0));
    });
  });

  describe(`softmax and its relatives, kernels ${kind} (N2)`, () => {
    const table: readonly (readonly [values: readonly number[], softmax: readonly number[], logsumexp: number])[] = [
      [[-Infinity, -Infinity], [NaN, NaN], -Infinity],
      [[-Infinity, 3], [0, 1], 3],
      [[Infinity, 1], [NaN, NaN], Infinity],
      [[Infinity, -Infinity], [NaN, NaN], Infinity],
      [[NaN, 0], [NaN, NaN], NaN],
      [[NaN, -Infinity], [NaN, NaN], NaN],
      [[1e308, 1e308], [0.5, 0.5], 1e308],
      [[-1e308, -1e308], [0.5, 0.5], -1e308],
      [[1.7e308, -1.7e308], [1, 0], 1.7e308],
      [[710, 710], [0.5, 0.5], 710 + Math.LN2],
      [[-800, -800], [0.5, 0.5], -800 + Math.LN2],
    ]; // prettier-ignore

    it('are NaN only where nothing else can be said', () => {
      for (const [values, soft, total] of table) {
        const x = [laid(values, 'float64')];
        const list = (op: string) => [...apply(op, x).data].map(Number);
        expect(list('softmax'), `softmax ${values.join()}`).to.deep.equal(soft);
        expect(list('logsumexp'), `logsumexp ${values.join()}`).to.deep.equal([total]);
        expect(list('logSoftmax'), `logSoftmax ${values.join()}`).to.deep.equal(soft.map((value) => Math.log(value)));
      }
    });
  });

  describe(`casts, kernels ${kind} (N4)`, () => {
    const numbers = [
      ...specials,
      0.5,
      -0.5,
      1.9,
      -1.9,
      2147483646.5,
      2147483647,
      2147483648,
      -2147483648.5,
      -2147483649,
      4294967297,
      1e10,
      3.5e38,
    ];
    const meanings: Readonly<Record<ComputedDType, (x: number) => number>> = {
      float64: (x) => x,
      float32: Math.fround,
      int32: (x) => (Number.isNaN(x) ? 0 : Math.min(Math.max(Math.trunc(x), -2147483648), 2147483647) + 0),
      bool: (x) => Number(x !== 0),
    };
    const castTo = (x: GraphSymbol, dtype: ComputedDType): GraphSymbol => ops['cast'](x, { dtype }) as GraphSymbol;

    it('saturate, truncate and make NaN 0 between all pairs of dtypes, alone and inside a fused chain', () => {
      for (const from of ['float64', 'float32', 'int32', 'bool'] as const) {
        const x = laid(numbers, from);
        for (const to of ['float64', 'float32', 'int32', 'bool'] as const) {
          for (const level of ['none', 'standard'] as const) {
            const made = graph({ x: input([numbers.length], { dtype: from }) }, (symbols) => ({
              y: castTo(symbols.x, to),
              z: castTo(castTo(ops['identity'](symbols.x) as GraphSymbol, to), 'float64'),
            }));
            const { y, z } = evaluateSync(made, { x }, { backend, level });
            const want = [...x.data].map((value) => meanings[to](Number(value)));
            expect([y.dtype, [...y.data].map(Number)], `${from} to ${to}`).to.deep.equal([to, want]);
            expect([...z.data].map(Number), `${from} to ${to} to float64`).to.deep.equal(want);
          }
        }
      }
    });
  });
}
