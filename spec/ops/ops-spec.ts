/**
 * @file What must hold for every op there is, read from its definition alone.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import '../../src/ops/index.js';
import { EinstreamError } from '../../src/errors/index.js';
import { broadcastDims } from '../../src/ops/dims.js';
import { evaluateScalar } from '../../src/ops/evaluate/scalar.js';
import type { AnyOp, Params } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import { s, type Scalar } from '../../src/ops/scalar.js';
import { tensor } from '../../src/tensor/create.js';
import { COMPUTED_DTYPES, type ComputedDType } from '../../src/tensor/dtype.js';
import { sameShape } from '../../src/tensor/shape.js';
import { Tensor, type NestedArray } from '../../src/tensor/tensor.js';
import { transposeView } from '../../src/tensor/view/views.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { differences, examplesOf, type GivenExample } from './examples.js';

const call = (op: AnyOp, inputs: readonly unknown[], params: unknown = {}): Tensor => ops[op.name](...inputs, params) as Tensor;
const isElementwise = (op: AnyOp): boolean => op.expr !== undefined || op.exprFor !== undefined;
/** `fused` takes steps of other ops; `stopGradient` and its like are elementwise as all others. */
const elementwise = allOps().filter((op) => isElementwise(op) && op.arity !== 'any');
const firstExample = (op: AnyOp): GivenExample => examplesOf(op)[0];

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('every op', () => {
  for (const op of allOps()) {
    describe(op.name, () => {
      it('says what it is, in camelCase, with examples', () => {
        expect(op.name).to.match(/^[a-z][a-zA-Z0-9]*$/);
        expect(op.doc.trim().length).to.be.greaterThan(1);
        expect(op.doc.trim()).to.match(/[.]$/);
        expect(op.examples.length).to.be.greaterThan(0);
      });

      it('says in exactly one way how it computes', () => {
        const ways = [op.expr, op.exprFor, op.fold, op.siblings, op.view, op.pieces, op.gather, op.contract].filter(
          (way) => way !== undefined,
        );
        expect(ways.length).to.equal(1);
      });

      it('is found by its name and by each alias', () => {
        for (const name of [op.name, ...(op.aliases ?? [])]) expect(ops[name].definition).to.equal(op);
      });

      examplesOf(op).forEach(({ inputs, params, output }, i) => {
        it(`gives what example ${i + 1} says`, () => {
          expect(differences(call(op, inputs, params), output)).to.deep.equal([]);
        });
      });

      it('has the dtype that its rule says, for every dtype of the operands', () => {
        const { inputs, params } = firstExample(op);
        for (const dtype of COMPUTED_DTYPES) {
          const cast = inputs.map((input) =>
            input.dtype === 'int32' ? input : tensor(input.data, { shape: input.shape, dtype }),
          );
          const dtypes = cast.map((input) => input.dtype as ComputedDType);
          const ruled = thrown(() => op.dtype(dtypes, params));
          if (ruled !== undefined) {
            expect(['E_DTYPE', 'E_ARGUMENT']).to.include((ruled as EinstreamError).code);
            expect(thrown(() => call(op, cast, params))).to.be.instanceOf(EinstreamError);
            continue;
          }
          const result = call(op, cast, params);
          expect(result.dtype).to.equal(op.dtype(dtypes, params));
          // Only a cast makes wider numbers of narrow ones, beyond float32.
          if (op.name !== 'cast') expect(['bool', 'int32', 'float32', dtype]).to.include(result.dtype);
        }
      });

      it('agrees with its shape rule, and knows no rank where it is given none', () => {
        const { inputs, params } = firstExample(op);
        const dims = inputs.map((input) => input.shape);
        const place = { op: op.name };
        expect(call(op, inputs, params).shape).to.deep.equal(op.shape(dims, params, place));
        const unknown = op.shape(
          dims.map(() => undefined),
          params,
          place,
        );
        const symbolic = op.shape(
          dims.map((shape) => shape.map(() => null)),
          params,
          place,
        );
        expect(unknown === undefined || Array.isArray(unknown)).to.equal(true);
        if (symbolic !== undefined) expect(symbolic.length).to.equal(call(op, inputs, params).rank);
      });

      it('refuses a storage dtype and names the cast, unless it only moves or converts elements', () => {
        const { inputs, params } = firstExample(op);
        const narrow = inputs.map((input) => tensor(input.data, { shape: input.shape, dtype: 'int8' }));
        if (op.view !== undefined) return void expect(call(op, narrow, params).dtype).to.equal('int8');
        if (op.reads === 'storage') return void expect(call(op, narrow, params).dtype).to.equal(params['dtype']);
        const error = thrown(() => call(op, narrow, params));
        expect((error as EinstreamError).code).to.equal('E_DTYPE');
        expect((error as EinstreamError).message).to.contain('cast(');
      });

      it('refuses parameters that it does not have (G13)', () => {
        const { inputs, params } = firstExample(op);
        for (const key of ['no_such_parameter', '__proto__', 'constructor']) {
          const given = JSON.parse(`{ ${JSON.stringify(key)}: 1 }`) as Params;
          const error = thrown(() =>
            call(op, inputs, Object.defineProperties({ ...params }, Object.getOwnPropertyDescriptors(given))),
          );
          expect((error as EinstreamError).code, key).to.equal('E_ARGUMENT');
        }
      });

      for (const key of Object.keys(op.params)) {
        it(`refuses a ${key} of a wrong type, and reads it once (G13)`, () => {
          const { inputs, params } = firstExample(op);
          for (const wrong of [() => 1, Symbol('x'), 1n, [[[]]], ['x', Symbol('y')]]) {
            const error = thrown(() => call(op, inputs, { ...params, [key]: wrong }));
            expect(error, String(key)).to.be.instanceOf(EinstreamError);
          }
          let reads = 0;
          const once = Object.defineProperty({ ...params }, key, { enumerable: true, get: () => (reads++, params[key]) });
          call(op, inputs, once);
          expect(reads).to.equal(1);
        });
      }

      it('counts its operands', () => {
        const { inputs, params } = firstExample(op);
        const none = thrown(() => call(op, [], params));
        expect((none as EinstreamError).code).to.equal('E_ARGUMENT');
        if (op.maxInputs === Infinity) return;
        const many = Array.from({ length: op.maxInputs + 1 }, () => inputs[0]);
        expect((thrown(() => call(op, many, params)) as EinstreamError).code).to.equal('E_ARGUMENT');
      });
    });
  }
});

describe('every elementwise op', () => {
  const runs = { seed: propertySeed(), numRuns: propertyRuns(20, 200, 2_000) };
  const numbers = fc.constantFrom(0, -0, 1, -1, 0.5, 2, -3.5, 7, NaN, Infinity, -Infinity);

  /** Shapes that broadcast: a common shape, of which each operand keeps a tail with some sizes set to 1. */
  const operands = (count: number) =>
    fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }).chain((full) =>
      fc.tuple(
        ...Array.from({ length: count }, () =>
          fc
            .tuple(fc.nat(full.length), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.boolean())
            .chain(([drop, ones, isTransposed]) => {
              const shape = full.slice(drop).map((size, axis) => (ones[axis] ? 1 : size));
              const size = shape.reduce((product, n) => product * n, 1);
              return fc.array(numbers, { minLength: size, maxLength: size }).map((data) => {
                const perm = shape.map((_, axis) => axis).reverse();
                const t = tensor(Float64Array.from(data), { shape: isTransposed ? [...shape].reverse() : shape });
                return isTransposed ? transposeView(t, perm) : t;
              });
            }),
        ),
      ),
    );

  /** The element of a nested array at an index of the result, repeated along axes that stretch. */
  const elementAt = (nested: NestedArray, index: readonly number[], rank: number): number =>
    index
      .slice(index.length - rank)
      .reduce<NestedArray>(
        (part, i) => (part as readonly NestedArray[])[(part as readonly NestedArray[]).length === 1 ? 0 : i],
        nested,
      ) as number;

  const indices = (shape: readonly number[]): readonly (readonly number[])[] =>
    shape.reduce<readonly (readonly number[])[]>(
      (all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
      [[]],
    );

  for (const op of elementwise) {
    it(`${op.name} broadcasts: each element is its expression of the operands' elements there`, () => {
      const { params } = firstExample(op);
      fc.assert(
        fc.property(operands(op.arity as number), (inputs) => {
          const got = call(op, inputs, params);
          const shape = broadcastDims(inputs.map((input) => input.shape)) as readonly number[];
          expect(sameShape(got.shape, shape)).to.equal(true);
          const rule: (...terms: readonly Scalar[]) => Scalar =
            op.exprFor?.(
              params,
              inputs.map(() => 'float64' as const),
            ) ?? op.expr!;
          const term = rule(...inputs.map((_, i) => s.operand(i)));
          const nested = inputs.map((input) => input.toArray());
          const stored = got.data as Float64Array;
          indices(shape).forEach((index, at) => {
            const value = evaluateScalar(
              term,
              nested.map((part, k) => elementAt(part, index, inputs[k].rank)),
              [],
              0,
              1,
              got.dtype as ComputedDType,
            );
            const want = tensor([value], { dtype: got.dtype }).data[0];
            expect(
              Object.is(stored[at], want) || stored[at] === value,
              `${op.name} at [${index.join()}]: ${stored[at]}, not ${value}`,
            ).to.equal(true);
          });
        }),
        runs,
      );
    });
  }
});
