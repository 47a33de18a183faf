/** @file Random graphs: gradients as a graph, fused or not, and on variables that replay it, are the same bits. */
import { expect } from 'chai';
import fc from 'fast-check';
import { backward, evaluateSync, gradient, isOpNode, js, nodesOf, ops, variable, type Graph, type Node, type Tensor, type Variable } from '../../src/index.js'; // prettier-ignore
import type { Operand } from '../../src/ops/interpreter.js';
import { isVariable } from '../../src/autodiff/variable.js';
import { inferTypes } from '../../src/graph/shapes.js';
import { isFloating } from '../../src/tensor/dtype.js';
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

function check({ graph, feeds }: RandomGraph): number {
  const types = inferTypes(graph);
  const isReal = (id: number): boolean => isFloating(types[id]!.dtype!);
  const [of, wrt] = [graph.outputs.find(({ id }) => isReal(id)), graph.inputs.filter(isReal)];
  if (of === undefined || wrt.length === 0) return 0;
  const nodes = new Map([...nodesOf(graph)].map((node) => [node.id, node]));
  const names = wrt.map((id) => nodes.get(id)!.name!);
  const slopes = gradient(graph, { of: of.name, wrt: names, seed: 'ones' });
  const plain = evaluateSync(slopes, feeds, { backend, level: 'none' });
  const fused = evaluateSync(slopes, feeds, { backend });
  const kept = evaluateSync(gradient(graph, { of: of.name, wrt: names, seed: 'ones', checkpoints: 'sqrt' }), feeds, { backend });
  const values = replay(graph, feeds);
  const y = values.get(of.id) as Variable | Tensor;
  if (isVariable(y) && y.requiresGrad) backward(y, ops['onesLike'](y.value) as Tensor);
  names.forEach((name, k) => {
    const { grad, value } = values.get(wrt[k]) as Variable;
    const eager = grad ?? (ops['zerosLike'](value) as Tensor);
    for (const [way, got] of Object.entries({ fused, kept, eager: { [name]: eager } }))
      expect(differentBits(got[name], plain[name]), `${way}, ${of.name} by ${name}`).to.equal(undefined);
  });
  return names.length;
}

describe('gradients of random graphs (F006, F008)', () => {
  it('are the same bits as a graph, fused, with checkpoints, and on variables', function () {
    this.timeout(300_000);
    let gradients = 0;
    fc.assert(
      fc.property(randomGraph(), (random) => void (gradients += check(random))),
      { seed: propertySeed(), numRuns: propertyRuns(60, 500, 5_000) },
    );
    console.log(`    gradients of random graphs: ${gradients}`);
  });
});
