/** @file Large and awkward graphs: linear time, the default stack (G1, G6). */
import { expect } from 'chai';
import { canonicalize, equivalent, hash } from '../../src/graph/canonical.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';
import { keysOf } from '../../src/graph/keys.js';
import { inferShapes } from '../../src/graph/shapes.js';
import { topology } from '../../src/graph/topology.js';
import { validate } from '../../src/graph/validate/validate.js';
import type { Graph } from '../../src/graph/graph.js';
import { binary, chainText, interchange, unary, type InterchangeNode } from '../support/interchange.js';
import { propertyRuns } from '../support/property.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, k) => `t${k}`);
const size = propertyRuns(5000, 100_000, 1_000_000);

const concatOf = (count: number): string =>
  `{"einstream":1,"nodes":[{"id":0,"op":"input","name":"x","dims":[1]},{"id":1,"op":"concat","name":"y","inputs":[${new Array(count).fill(0).join()}],"params":{"axis":0}}],"inputs":[0],"outputs":[{"name":"y","id":1}]}`;

/** Node k reads nodes k − 1 and k − 2: the number of paths grows like Fibonacci's numbers. */
const ladder = (count: number): string =>
  interchange({
    tensors: names(count),
    nodes: Array.from({ length: count - 2 }, (_, k) => binary('maximum', k, k + 1, k + 2)),
    inputs: [0, 1],
    outputs: [count - 1],
  });

const shapes: readonly (readonly [string, () => string, Readonly<Record<string, readonly number[]>>])[] = [
  ['a chain', () => chainText(size), { x: [3] }],
  [
    'a chain written backwards',
    () =>
      interchange({
        tensors: names(size),
        nodes: Array.from({ length: size - 1 }, (_, k) => unary('abs', size - k - 1, size - k - 2)),
        inputs: [size - 1],
        outputs: [0],
      }),
    { [`t${size - 1}`]: [3] },
  ],
  ['a node of many operands', () => concatOf(size), { x: [1] }],
  [
    'a value of many readers',
    () =>
      interchange({
        tensors: names(size),
        nodes: Array.from({ length: size - 1 }, (_, k) => unary('abs', 0, k + 1)),
        inputs: [0],
        outputs: Array.from({ length: size - 1 }, (_, k) => k + 1),
      }),
    { t0: [2] },
  ],
  ['a ladder of 2^n paths', () => ladder(size), { t0: [2], t1: [2] }],
];

describe(`graphs of ${size} nodes (G6)`, () => {
  for (const [what, text, given] of shapes) {
    it(`are read, checked, inferred, compared and written on the default stack: ${what}`, function () {
      this.timeout(120_000);
      const g: Graph = parseGraph(text());
      expect(validate(g).filter(({ code }) => code !== 'W_LARGE')).to.deep.equal([]);
      expect(topology(g).blocked).to.deep.equal([]);
      expect(keysOf(g).length).to.equal(g.size);
      expect(inferShapes(g, given).size).to.equal(g.size);
      const copy = parseGraph(serializeGraph(g));
      expect(equivalent(copy, g)).to.equal(true);
      expect(hash(canonicalize(g))).to.equal(hash(g));
      for (const format of ['dot', 'graphml', 'ascii'] as const) expect(serializeGraph(g, format).length).to.be.greaterThan(size);
    });
  }
});

describe('cycles (G1)', () => {
  const ring = (count: number, extra: readonly InterchangeNode[] = []): Graph =>
    parseGraph(
      interchange({
        tensors: ['x', ...names(count), 'z'],
        nodes: [...Array.from({ length: count }, (_, k) => unary('abs', k === 0 ? count : k, k + 1)), ...extra],
        inputs: [0],
        outputs: [count],
      }),
    );
  const cyclesOf = (g: Graph) => validate(g).filter(({ code }) => code === 'E_CYCLE');

  const long = propertyRuns(20_000, 100_000, 100_000);
  it(`of ${long.toLocaleString('en')} nodes are found, with a path that is cut`, () => {
    const found = cyclesOf(ring(long));
    expect(found).to.have.length(1);
    expect(found[0].actual).to.match(new RegExp(`^t\\d+ → .* → … \\(${long} nodes\\) → t\\d+$`));
    expect(found[0].message.length).to.be.lessThan(300);
  });

  it('are told once each, and not of nodes that only come behind one', () => {
    const behind = [unary('neg', 3, 4)];
    expect(cyclesOf(ring(3, behind)).map(({ actual }) => actual)).to.deep.equal(['t0 → t1 → t2 → t0']);
  });

  it('that share nodes are one knot', () => {
    const g = parseGraph(
      interchange({
        tensors: ['x', 'a', 'b', 'c'],
        nodes: [binary('add', 2, 3, 1), unary('abs', 1, 2), unary('neg', 1, 3)],
        inputs: [0],
        outputs: [1],
      }),
    );
    expect(cyclesOf(g)).to.have.length(1);
  });

  it('by the thousand are listed up to the bound', () => {
    const count = 5_000;
    const g = parseGraph(
      interchange({
        tensors: ['x', ...names(count)],
        nodes: Array.from({ length: count }, (_, k) => binary('add', 0, k + 1, k + 1)),
        inputs: [0],
        outputs: [1],
      }),
    );
    expect(
      validate(g)
        .filter(({ severity }) => severity === 'error')
        .at(-1)!.message,
    ).to.include('4900 more errors');
  });
});
