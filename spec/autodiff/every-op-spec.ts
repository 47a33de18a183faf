/** @file Every op's rule for gradients against finite differences, first and second order, as a graph and on variables. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  backward,
  cast,
  EinstreamError,
  evaluateSync,
  gradient,
  graph,
  input,
  js,
  ops,
  variable,
  zeros,
  type ComputedDType,
  type Graph,
  type GraphSymbol,
  Tensor,
  type Variable,
} from '../../src/index.js';
import '../../src/ops/fused.js';
import type { AnyOp } from '../../src/ops/op.js';
import { allOps } from '../../src/ops/registry.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { checkGradients, type GradientReport } from '../../src/testing.js';
import type { Call } from '../support/anyCall.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { smoothCall, smoothTensor } from '../support/smoothCall.js';
import { differentOutcomes } from '../support/sameBits.js';

const backend = js({ kernels: 'interpret' });
const call = ops as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The op as a graph of floating outputs; undefined where the call has no result, as the maximum of nothing. */
function graphOf(op: AnyOp, { operands, params }: Call): Graph | undefined {
  const declared = Object.fromEntries(operands.map(({ shape, dtype }, k) => [`x${k}`, input(shape, { dtype: dtype as ComputedDType })])); // prettier-ignore
  try {
    return graph(declared, (symbols) => {
      const y = call[op.name](...Object.values(symbols), params) as GraphSymbol;
      return { y: isFloating(y.dtype!) ? y : (call['cast'](y, { dtype: 'float64' }) as GraphSymbol) };
    });
  } catch (error) {
    if (error instanceof EinstreamError && (error.code === 'E_SHAPE' || error.code === 'E_LIMIT')) return undefined;
    throw error;
  }
}

const feedsOf = ({ operands }: Call): Record<string, Tensor> => Object.fromEntries(operands.map((x, k) => [`x${k}`, x]));

/** Gradients by operand as the tape gives them, weighted by the same cotangent. */
function onVariables(op: AnyOp, { operands, params }: Call, cotangent: Tensor): Record<string, Tensor> {
  const xs = operands.map((x) => (isFloating(x.dtype) ? variable(x) : x));
  const y = call[op.name](...xs, params) as Variable;
  const gradients = y.requiresGrad ? backward(y, cotangent) : undefined;
  return Object.fromEntries(
    xs.flatMap((x, k) => (x instanceof Tensor ? [] : [[`x${k}`, gradients?.of(x) ?? zeros(x.shape, { dtype: x.dtype })]])),
  );
}

const isRefused = (error: unknown): boolean =>
  error instanceof EinstreamError && ['E_SHAPE', 'E_LIMIT', 'E_KERNEL'].includes(error.code);

describe('the gradient of every op (F007, N10)', function () {
  this.timeout(300_000);
  const seed = propertySeed();
  const total = { calls: 0, checked: 0, skipped: 0, worst: 0, second: 0 };
  const count = ({ passed, checked, skipped, worst, toString }: GradientReport): void => {
    expect(passed, toString()).to.equal(true);
    total.checked += checked;
    total.skipped += skipped;
    total.worst = Math.max(total.worst, worst);
  };
  // What gradients of `withGradient` are is for its rule to say.
  for (const op of allOps().filter(({ name }) => name !== 'withGradient')) {
    it(`${op.name} is what finite differences find, and the same on variables`, () => {
      fc.assert(
        fc.property(smoothCall(op), (drawn) => {
          const g = graphOf(op, drawn);
          if (g === undefined) return;
          const feeds = feedsOf(drawn);
          let y: Tensor;
          try {
            ({ y } = evaluateSync(g, feeds, { backend }));
          } catch (error) {
            if (isRefused(error)) return;
            throw error;
          }
          total.calls++;
          count(checkGradients(g, feeds, { preset: 'strict', elements: 8, backend }));
          const wrt = Object.keys(feeds).filter((name) => isFloating(feeds[name].dtype));
          const cotangent = cast(smoothTensor(y, 'around', 5), { dtype: y.dtype as ComputedDType });
          const slopes = gradient(g, { of: 'y', wrt, seed: 'feed' });
          const weighed = { ...feeds, 'y.cotangent': cotangent };
          const asGraph = evaluateSync(slopes, weighed, { backend, level: 'none' });
          const eager = onVariables(op, drawn, cotangent);
          for (const name of wrt) expect(differentOutcomes(eager[name], asGraph[name]), name).to.equal(undefined);
          if (total.calls % 4 !== 0) return;
          total.second++;
          count(checkGradients(slopes, weighed, { preset: 'strict', eps: 1e-4, rel: 1e-5, abs: 1e-6, elements: 4, backend }));
        }),
        { seed, numRuns: propertyRuns(1, 30, 300) },
      );
    });
  }
  after(() => console.log(`    gradients: ${JSON.stringify(total)}`));
});
