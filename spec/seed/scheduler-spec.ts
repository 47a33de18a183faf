/**
 * @file The examples of the seed's chapter on scheduling, translated and executed.
 */
import { expect } from 'chai';
import { nameOf } from '../../src/graph/graph.js';
import { add, graph, input, matmul, nodeOf, relu, schedule } from '../../src/index.js';

describe('the scheduling examples of the seed', () => {
  it('E36: a schedule by cost with a threshold of 1000: order and groups printed', () => {
    const model = graph({ x: input([16, 16]), w: input([16, 16]), b: input([16]) }, ({ x, w, b }) => ({
      y: add(relu(add(matmul(x, w), b)), matmul(w, x)),
    }));
    const { nodeOrder, parallelGroups, estimatedCost, criticalPath } = schedule(model, {
      strategy: 'costBased',
      costThreshold: 1000,
    });
    const named = (ids: readonly number[]) => ids.map((id) => nameOf(nodeOf(model, id)));
    console.log(`      order: ${named(nodeOrder).join(', ')}`);
    parallelGroups.forEach((group, at) => console.log(`      group ${at}: ${named(group).join(' | ')}`));
    console.log(`      estimated cost: ${estimatedCost} operations; the longest chain: ${named(criticalPath.nodes).join(' → ')}`);
    expect(named(parallelGroups[0])).to.deep.equal(['matmul_3', 'matmul_6']);
    expect(parallelGroups.slice(1).every((group) => group.length === 1)).to.equal(true);
    expect(nodeOrder).to.deep.equal(parallelGroups.flat());
    expect(estimatedCost).to.equal(8192 + 3 * 256);
  });
});
