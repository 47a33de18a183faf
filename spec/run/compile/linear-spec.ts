/** @file Compiling is linear in nodes, on the default stack (G6). */
import { expect } from 'chai';
import { add, compile, exp, graph, input, mul, neg, nodeCount, relu, type Graph, type GraphSymbol } from '../../../src/index.js';
import { leastTime } from '../../support/leastTime.js';
import { propertyRuns } from '../../support/property.js';

const SIZE = propertyRuns(3_000, 60_000, 600_000);
/** Ten times the nodes may take this many times as long; one that is quadratic takes a hundred. */
const RATIO = 25;

const from = (x: GraphSymbol, count: number, next: (y: GraphSymbol, k: number) => GraphSymbol): GraphSymbol => {
  let y = x;
  for (let k = 0; k < count; k++) y = next(y, k);
  return y;
};

const FORMS: Readonly<Record<string, (nodes: number) => Graph>> = {
  'a chain': (nodes) => graph({ x: input([4]) }, ({ x }) => ({ y: from(x, nodes, (y, k) => (k % 2 === 0 ? neg(y) : relu(y))) })),
  'a ladder of 2ⁿ paths': (nodes) => graph({ x: input([4]) }, ({ x }) => ({ y: from(x, nodes, (y) => add(y, y)) })),
  'a chain of which every second op does nothing': (nodes) =>
    graph({ x: input([4]) }, ({ x }) => ({ y: from(x, nodes / 3, (y) => mul(relu(y), 1)) })),
  'one value that all others read': (nodes) =>
    graph({ x: input([4]) }, ({ x }) => ({ y: from(x, nodes / 2, (y, k) => add(y, k % 2 === 0 ? exp(x) : neg(x))) })),
};

describe('compile', function () {
  this.timeout(600_000);
  for (const [form, make] of Object.entries(FORMS))
    // The highest level has the passes of all others.
    it(`is linear at 'aggressive': ${form}, ${SIZE} nodes beside a tenth of them (G6)`, () => {
      const [tenth, whole] = [make(SIZE / 10), make(SIZE)];
      const few = leastTime(0, () => void compile(tenth, { level: 'aggressive' }));
      let nodes = 0;
      const many = leastTime(RATIO * few, () => void (nodes = nodeCount(compile(whole, { level: 'aggressive' }))));
      expect(nodes).to.be.at.most(nodeCount(whole));
      expect(many / few).to.be.at.most(RATIO);
    });
});
