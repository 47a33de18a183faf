/** @file Random graphs: gradients as a graph, fused or not, with checkpoints, and on variables that replay it, agree. */
import { expect } from 'chai';
import fc from 'fast-check';
import { backward, evaluateSync, gradient, isOpNode, js, nodesOf, ops, variable, type Graph, type Node, type Tensor, type Variable } from '../../src/index.js'; // prettier-ignore
import type { Operand } from '../../src/ops/interpreter.js';
import { isVariable } from '../../src/autodiff/variable.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { isFloating } from '../../src/tensor/dtype.js';
import { parseEinsum } from '../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../src/plan/path/index.js';
import type { Shape } from '../../src/tensor/shape.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { randomGraph, type RandomGraph } from '../support/random-graph.js';
import { differentBits } from '../support/sameBits.js';

const backend = js();

const valueOf = (node: Node, feeds: Readonly<Record<string, Tensor>>): Tensor =>
  node.op === 'input' ? feeds[node.name!] : (node as unknown as { readonly value: Tensor }).value;

/** The graph's ops one after another, on variables where it has floating inputs and params. */
function replay(graph: Graph, feeds: Readonly<Record<string, Tensor>>): ReadonlyMap<number, Operand> {
  const values = new Map<number, Operand>();
  for (const node of nodesOf(graph)) {
    if (isOpNode(node)) {
      const operands = node.inputs.map((id) => values.get(id)!);
      values.set(node.id, ops[node.op](...(node.op === 'concat' ? [operands] : operands), node.params) as Operand);
      continue;
    }
    const value = valueOf(node, feeds);
    values.set(node.id, node.op !== 'constant' && isFloating(value.dtype) ? variable(value) : value);
  }
  return values;
}

/** Kernels sum what a lone operand alone has before they multiply, the evaluator afterwards: then signs of 0 and last digits differ. */
function isInOneOrder(graph: Graph): boolean {
  const types = inferTypes(graph);
  return [...nodesOf(graph)].filter(isOpNode).every(({ op, inputs, params }) => {
    if (op !== 'einsum') return true;
    const shapes = inputs.map((id) => types[id]!.dims as Shape);
    const { contraction } = resolveEinsum(parseEinsum((params as { readonly spec: string }).spec), shapes);
    return contractionPath(contraction!).steps.length === 1;
  });
}

/** Undefined, or where finite elements are further apart than what F008 allows. */
function farApart(got: Tensor, want: Tensor): string | undefined {
  const [a, b] = [got.data as Float64Array, want.data as Float64Array];
  const at = b.findIndex(
    (value, i) => Number.isFinite(value) && !(Math.abs(a[i] - value) <= 1e-6 * Math.max(1, Math.abs(value))),
  );
  return at < 0 ? undefined : `[${at}] expected ${b[at]}, got ${a[at]}`;
}

function check({ graph, feeds }: RandomGraph): number {
  const types = inferTypes(graph);
  const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
  const [of, wrt] = [graph.outputs.find(({ id }) => isReal(id)), graph.inputs.filter(isReal)];
  if (of === undefined || wrt.length === 0) return 0;
  const nodes = new Map([...nodesOf(graph)].map((node) => [node.id, node]));
  const names = wrt.map((id) => nodes.get(id)!.name!);
  const slopes = gradient(graph, { of: of.name, wrt: names, seed: 'ones' });
  const isExact = isInOneOrder(slopes);
  const plain = evaluateSync(slopes, feeds, { backend, level: 'none' });
  const fused = evaluateSync(slopes, feeds, { backend });
  const kept = evaluateSync(gradient(graph, { of: of.name, wrt: names, seed: 'ones', checkpoints: 'sqrt' }), feeds, { backend });
  const values = replay(graph, feeds);
  const y = values.get(of.id) as Variable | Tensor;
  if (isVariable(y) && y.requiresGrad) backward(y, ops['onesLike'](y.value) as Tensor);
  names.forEach((name, k) => {
    const { grad, value } = values.get(wrt[k]) as Variable;
    const eager = grad ?? (ops['zerosLike'](value) as Tensor);
    for (const [way, got] of Object.entries({ fused, kept }))
      expect(differentBits(got[name], plain[name]), `${way}, ${of.name} by ${name}`).to.equal(undefined);
    const apart = (isExact ? differentBits : farApart)(eager, plain[name]);
    expect(apart, `eager, ${of.name} by ${name}`).to.equal(undefined);
  });
  return names.length;
}

describe('gradients of random graphs (F006, F008)', () => {
  it('are the same bits as a graph, fused and with checkpoints, and on variables, there but for the order of einsum’s sums', function () {
    this.timeout(300_000);
    let gradients = 0;
    fc.assert(
      fc.property(randomGraph(), (random) => void (gradients += check(random))),
      { seed: propertySeed(), numRuns: propertyRuns(25, 500, 5_000) },
    );
    console.log(`    gradients of random graphs: ${gradients}`);
  });
});
