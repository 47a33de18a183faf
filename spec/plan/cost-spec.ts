/** @file What a node costs, by hand. */
import { expect } from 'chai';
import { add, einsum, graph, input, isOpNode, nodesOf, relu } from '../../src/index.js';
import { nodeCost } from '../../src/plan/cost.js';
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
});
