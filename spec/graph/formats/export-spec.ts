/** @file Exports are read by independent software to the same nodes and edges, whatever the names. */
import { instance } from '@viz-js/viz';
import { expect } from 'chai';
import fc from 'fast-check';
import { MultiDirectedGraph } from 'graphology';
import graphml from 'graphology-graphml';
import { graph, input, param } from '../../../src/graph/builder.js';
import { parseGraph } from '../../../src/graph/formats/parse.js';
import { serializeGraph } from '../../../src/graph/formats/serialize.js';
import { nodesOf, type Graph } from '../../../src/graph/graph.js';
import { add, einsum, relu } from '../../../src/ops/index.js';
import { ones } from '../../../src/tensor/fill.js';
import { HOSTILE_NAMES } from '../../support/hostileNames.js';
import { binary, interchange } from '../../support/interchange.js';
import { propertyRuns, propertySeed } from '../../support/property.js';
import { randomGraph } from '../../support/random-graph.js';

interface Drawn {
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  readonly labels: ReadonlyMap<string, string>;
}

const viz = await instance();

function readDot(text: string): Drawn {
  const { status, output, errors } = viz.render(text, { format: 'json0', yInvert: false });
  if (status !== 'success') throw new Error(JSON.stringify(errors));
  const { objects = [], edges = [] } = JSON.parse(output) as {
    objects?: { name: string; label: string }[];
    edges?: { tail: number; head: number }[];
  };
  return {
    nodes: objects.map(({ name }) => name).sort(),
    edges: edges.map(({ tail, head }) => `${objects[tail].name}>${objects[head].name}`).sort(),
    labels: new Map(objects.map(({ name, label }) => [name, label])),
  };
}

function readGraphml(text: string): Drawn {
  const parsed = graphml.parse(MultiDirectedGraph, text);
  return {
    nodes: parsed.nodes().sort(),
    edges: parsed.mapEdges((_edge, _attributes, source, target) => `${source}>${target}`).sort(),
    labels: new Map(parsed.mapNodes((node, attributes) => [node, attributes['name'] as string])),
  };
}

const drawnOf = (g: Graph): Omit<Drawn, 'labels'> => ({
  nodes: [...nodesOf(g)].map(({ id }) => `n${id}`).sort(),
  edges: [...nodesOf(g)].flatMap(({ id, inputs }) => inputs.map((from) => `n${from}>n${id}`)).sort(),
});

const layer = graph({ x: input(['n', 3]), w: param(ones([3, 2])) }, ({ x, w }) => ({
  y: relu(einsum('ni,io->no', x, w)),
  twice: add(x, x),
})) as Graph;
const named = (name: string) =>
  parseGraph(interchange({ tensors: [name, 'z', 'y'], nodes: [binary('add', 0, 0, 2)], inputs: [0], outputs: [2] }));

describe('exports (F112)', () => {
  for (const [format, read] of [
    ['dot', readDot],
    ['graphml', readGraphml],
  ] as const) {
    it(`in ${format} are read back to the same nodes and edges, double edges too`, () => {
      const { nodes, edges } = read(serializeGraph(layer, format));
      expect({ nodes, edges }).to.deep.equal(drawnOf(layer));
    });

    it(`in ${format} hold for every graph`, () => {
      fc.assert(
        fc.property(randomGraph(), ({ graph: g }) => {
          const { nodes, edges } = read(serializeGraph(g, format));
          expect({ nodes, edges }).to.deep.equal(drawnOf(g));
        }),
        { seed: propertySeed(), numRuns: propertyRuns(25, 300, 5_000) },
      );
    });

    it(`in ${format} keep hostile names names: quotes, <, newlines, escapes, control characters (G15)`, () => {
      for (const name of HOSTILE_NAMES) {
        const g = named(name);
        const text = serializeGraph(g, format);

        expect(text).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u202e]/);
        const { nodes, edges } = read(text);
        expect({ nodes, edges }, JSON.stringify(name.slice(0, 40))).to.deep.equal({
          nodes: ['n0', 'n2'],
          edges: ['n0>n2', 'n0>n2'],
        });
      }
    });
  }

  it('in DOT show quotes, brackets and backslashes as they are', () => {
    const { labels } = readDot(serializeGraph(named('a "b" <c> \\N & d'), 'dot'));
    expect(labels.get('n0')).to.equal('a "b" <c> \\\\N &amp; d = input'); // the attribute as written; drawing resolves it
    const svg = viz.renderString(serializeGraph(named('a "b" <c> \\N & d'), 'dot'), { format: 'svg' });
    expect(svg).to.include('a &quot;b&quot; &lt;c&gt; \\N &amp; d = input');
  });

  it('in GraphML give back names exactly, where XML can hold them', () => {
    for (const name of ['a "b" <c> & \'d\'', '<b>&amp;</b>', ']]>', '-->', '😀', 'é']) {
      expect(readGraphml(serializeGraph(named(name), 'graphml')).labels.get('n0')).to.equal(name);
    }
  });

  it('in plain text give one line a value, producers first, outputs starred', () => {
    expect(serializeGraph(layer, 'ascii')).to.equal(
      [
        'x          input [n, 3] float32',
        'w          param [3, 2] float32',
        'einsum_2   = einsum(x, w) {"spec":"ni,io->no"}',
        'y        * = relu(einsum_2)',
        'twice    * = add(x, x)',
        '',
      ].join('\n'),
    );
  });

  it('in plain text keep one line a value whatever the names (G15)', () => {
    for (const name of HOSTILE_NAMES) expect(serializeGraph(named(name), 'ascii').split('\n')).to.have.length(3);
  });

  it('draw a broken graph as far as it goes', () => {
    const g = parseGraph(
      interchange({
        tensors: ['x', 'a', 'b'],
        nodes: [binary('add', 0, 2, 1), binary('add', 1, 9, 2)],
        inputs: [0],
        outputs: [2],
      }),
    );
    expect(serializeGraph(g, 'ascii').split('\n')).to.have.length(4);
    expect(readDot(serializeGraph(g, 'dot')).nodes).to.include.members(['n0', 'n1', 'n2']);
  });

  it('refuse another format', () => {
    for (const format of ['png', '__proto__', 3, null]) {
      expect(() => serializeGraph(layer, format as never))
        .to.throw('the format must be known; expected einstream, interchange, dot, graphml, ascii')
        .with.property('code', 'E_ARGUMENT');
    }
  });
});
