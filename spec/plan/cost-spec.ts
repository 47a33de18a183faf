/** @file What a node costs, by hand. */
import { expect } from 'chai';
import { add, div, einsum, FUSION_COSTS, graph, input, isOpNode, max, mean, mul, neg, nodesOf, relu, softmax, sqrt, square, sub, sum, type Graph } from '../../src/index.js'; // prettier-ignore
import { inferTypes } from '../../src/graph/shapes.js';
import { graphCost } from '../../src/passes/graph-cost.js';
import { nodeCost, nodeWork } from '../../src/plan/cost.js';
import { applyPasses, LEVELS } from '../../src/passes/index.js';

const float = (...shape: number[]) => ({ shape, dtype: 'float32' as const });

describe('nodeCost (F052)', () => {
  it('takes two operations for each combination of letters of a contraction, and reads every operand once', () => {
    expect(nodeCost({ op: 'einsum', params: { spec: 'ij,jk->ik' } }, [float(3, 4), float(4, 5)], float(3, 5))).to.deep.equal({
      compute: 2 * 3 * 4 * 5,
      memory: 4 * (12 + 20 + 15),
      communication: 4 * 15,
    });
  });

  it('takes a chain of contractions in its best order', () => {
    const { compute } = nodeCost(
      { op: 'einsum', params: { spec: 'ij,jk,k->i' } },
      [float(10, 20), float(20, 30), float(30)],
      float(10),
    );
    expect(compute).to.equal(2 * 20 * 30 + 2 * 10 * 20);
  });

  it('counts what is written by elements, what is folded by what it reads, and views as nothing', () => {
    const of = (op: string, params: object, shape: number[], out: number[]) =>
      nodeCost({ op, params: params as never }, [float(...shape)], float(...out)).compute;
    expect(of('relu', {}, [6, 7], [6, 7])).to.equal(42);
    expect(of('sum', { axis: [1], keepdims: false }, [6, 7], [6])).to.equal(42 + 6);
    expect(of('softmax', { axis: [1] }, [6, 7], [6, 7])).to.equal(3 * 42);
    expect(nodeCost({ op: 'transpose', params: {} }, [float(6, 7)], float(7, 6)).memory).to.equal(0);
  });

  it('counts each step of a fused group', () => {
    const g = graph({ x: input([6, 7]), w: input([7, 2]) }, ({ x, w }) => ({ y: relu(add(einsum('ij,jk->ik', x, w), 1)) }));
    const { graph: fused } = applyPasses(g, LEVELS.standard, { keep: [], maxFusedNodes: 64 });
    const [node] = [...nodesOf(fused)].filter(isOpNode);
    const types = node.inputs.map((id) => (id === 0 ? float(6, 7) : id === 1 ? float(7, 2) : float()));
    expect(nodeCost(node, types, float(6, 2)).compute).to.equal(2 * 6 * 7 * 2 + 2 * 12);
  });

  it('counts siblings as the reductions that they stand for, which read their operand once', () => {
    const x = float(64, 512);
    const g = graph({ x: input(x.shape) }, ({ x: each }) => ({
      a: max(each, row),
      b: sum(each, row),
      c: mean(square(each), row),
    }));
    const { graph: after } = applyPasses(g, LEVELS.standard, { keep: [], maxFusedNodes: 64, maxResults: 4 });
    const siblings = [...nodesOf(after)].filter(isOpNode).find(({ op }) => op === 'fusedSiblings')!;
    const { compute, memory } = nodeCost(siblings, [x], float(3, 64));
    expect(compute).to.equal(4 * 64 * 512 + 3 * 64); // three folds, a square, three results a row
    expect(memory).to.equal(4 * (64 * 512 + 3 * 64));
  });

  it('counts as many operations for a group as for its members, wherever they lie', () => {
    const g = graph({ x: input([64, 96]) }, ({ x }) => {
      const centred = sub(x, mean(x, kept));
      return { y: mul(div(centred, sqrt(add(mean(square(centred), kept), 1e-5))), 2), z: softmax(neg(x), { axis: -1 }) };
    });
    const joined = applyPasses(g, LEVELS.standard, { keep: [], maxFusedNodes: 64 }).graph;
    const [before, after] = [g, joined].map((each) => graphCost(each as Graph, inferTypes(each), FUSION_COSTS));
    expect([before.kernels, after.kernels]).to.deep.equal([10, 2]);
    expect(after.flops).to.equal(before.flops);
    expect(after.bytes).to.be.below(before.bytes / 3);
  });

  it('tells functions, divisions, folds and products apart', () => {
    const of = (op: string, params: object, shapes: number[][], out: number[]) =>
      nodeWork({ op, params: params as never }, shapes.map((shape) => float(...shape)), float(...out)).operations; // prettier-ignore
    expect(of('tanh', {}, [[6, 7]], [6, 7])).to.deep.equal({ function: 42 });
    expect(of('sqrt', {}, [[6, 7]], [6, 7])).to.deep.equal({ division: 42 });
    expect(of('softmax', { axis: [1] }, [[6, 7]], [6, 7])).to.deep.equal({ fold: 42, function: 84 });
    expect(of('einsum', { spec: 'ij,jk->ik' }, [[2, 3], [3, 4]], [2, 4])).to.deep.equal({ contraction: 48 }); // prettier-ignore
    expect(of('einsum', { spec: 'i,j->ij' }, [[2], [3]], [2, 3])).to.deep.equal({ elementwise: 6 });
    expect(of('einsum', { spec: 'ij->i' }, [[2, 3]], [2])).to.deep.equal({ fold: 6 });
    expect(of('concat', { axis: 0 }, [[2], [3]], [5])).to.deep.equal({ movement: 5 });
  });
});

const row = { axis: 1 };
const kept = { axis: -1, keepdims: true };
