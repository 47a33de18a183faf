/** @file Fold fusion: which nodes share a kernel with a reduction, which stay apart, and that no bit changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { graph, input, named, type GraphSymbol } from '../../src/graph/builder.js';
import { isOpNode, nodesOf, type Graph } from '../../src/graph/graph.js';
import { abs, add, div, evaluateSync, exp, gradient, js, log, logSoftmax, max, mean, mul, relu, sigmoid, softmax, sqrt, square, steps, sub, sum, tensor, wasm } from '../../src/index.js'; // prettier-ignore
import type { Backend, ComputedDType, Tensor } from '../../src/index.js';
import type { FusedStep } from '../../src/ops/fused.js';
import { applyPasses, eliminateDeadNodes, fuseFolds, LEVELS } from '../../src/passes/index.js';
import { anyFold, type AnyFold } from '../support/anyFold.js';
import { counting } from '../support/countingBackend.js';
import { contextFor, printed, rewritten, type Demands } from '../support/rewritten.js';
import { differentBits } from '../support/sameBits.js';
import { randomGraph } from '../support/random-graph.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const fusedBy = (g: unknown, demands?: Demands): readonly string[] => shape(rewritten(g as Graph, fuseFolds, demands).graph);

/** The nodes that compute; steps read operands as `0`, `1` … and earlier steps as `.0`, `.1` …. */
function shape(g: Graph): readonly string[] {
  const names = printed(g).filter((line) => line.includes('='));
  const lists = [...nodesOf(g)].filter(isOpNode).map(({ inputs, params }) => {
    const show = (arg: number): string => (arg < inputs.length ? String(arg) : `.${arg - inputs.length}`);
    const list = params['steps'] as readonly FusedStep[] | undefined;
    return list === undefined ? '' : `: ${list.map((step) => `${step.op}(${step.args.map(show).join()})`).join(' ')}`;
  });
  return names.map((line, at) => `${line.replace(/ \{.*/, '').replace(/ +/g, ' ')}${lists[at]}`);
}

const row = { axis: -1, keepdims: true };
const ROWS = [8, 100];
const x = input(ROWS);
const softmaxOf = (v: GraphSymbol, over: object = row): GraphSymbol => {
  const e = exp(sub(v, max(v, over)));
  return div(e, sum(e, over));
};
const normalOf = (v: GraphSymbol): GraphSymbol => {
  const centred = sub(v, mean(v, row));
  return div(centred, sqrt(add(mean(square(centred), row), 1e-5)));
};

describe('fuseFolds', () => {
  it('joins a producer with the reduction that alone reads it (F045 Reduction)', () => {
    const g = graph({ x, t: input(ROWS) }, ({ x: v, t }) => ({ y: named('m', mean(named('a', abs(named('d', sub(v, t)))))) }));
    expect(printed(g as Graph)).to.deep.equal([
      'x   input [8, 100] float32',
      't   input [8, 100] float32',
      'd   = sub(x, t)',
      'a   = abs(d)',
      'm * = mean(a) as y',
    ].map((line) => line.replace(' as y', ''))); // prettier-ignore
    expect(fusedBy(g)).to.deep.equal(['m * = fusedFold(x, t): sub(0,1) abs(.0) mean(.1)']);
    expect(rewritten(g as Graph, fuseFolds).graph.outputs).to.deep.equal((g as Graph).outputs);
  });

  it('changes no bit of random folds on js, whatever their values, and of random graphs (J12)', function () {
    this.timeout(300_000); // at its full size
    let [joined, all] = [0, 0];
    const dtype = fc.constantFrom<ComputedDType>('float32', 'float32', 'float64', 'int32', 'bool');
    fc.assert(
      fc.property(anyFold(9, { dtype }), fc.boolean(), (drawn, isOpen) => {
        const { g, feeds } = graphOf(drawn, isOpen);
        const want = evaluateSync(g, feeds, { level: 'none', backend: js() }).y;
        all++;
        if (steps(g).some(({ node }) => node.op === 'fusedFold')) joined++;
        for (const kernels of ['generate', 'interpret'] as const)
          expect(differentBits(evaluateSync(g, feeds, { backend: js({ kernels }) }).y, want), kernels).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(150, 2_000, 50_000) },
    );
    console.log(`      ${joined} of ${all} graphs joined`);
    expect(joined).to.be.greaterThan(all / 8);
    fc.assert(
      fc.property(randomGraph({ maxMoves: 20 }), fc.integer({ min: 2, max: 6 }), ({ graph: g, feeds }, maxFusedNodes) => {
        const expected = evaluateSync(g, feeds, { level: 'none', backend: js() });
        const alone = rewritten(rewritten(g, eliminateDeadNodes).graph, fuseFolds, { maxFusedNodes }).graph;
        const outputs = evaluateSync(alone, feeds, { level: 'none', backend: js() });
        for (const [name, value] of Object.entries(expected)) expect(differentBits(outputs[name], value), name).to.equal(undefined);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(100, 1_000, 20_000) },
    );
  });
});

/** The last value of a random fold as a graph, sizes declared or not. */
function graphOf({ inputs, rule }: AnyFold, isOpen: boolean) {
  const names = inputs.map((_, k) => `x${k}`);
  const declared = Object.fromEntries(inputs.map((t, k) => [names[k], input(isOpen ? t.shape.map(() => null) : t.shape, { dtype: t.dtype as ComputedDType })])); // prettier-ignore
  const g = graph(declared, (symbols): Record<string, GraphSymbol> => ({ y: rule(names.map((name) => symbols[name])).at(-1)! }));
  return { g, feeds: Object.fromEntries(inputs.map((t, k) => [names[k], t])) };
}
