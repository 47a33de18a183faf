/** @file Limits hold at the limit, and refuse one more. */
import { expect } from 'chai';
import { parseGraph } from '../../../src/graph/formats/parse.js';
import { GRAPH_LIMITS, type ParseOptions } from '../../../src/graph/formats/limits.js';
import { chainText, interchange, unary } from '../../support/interchange.js';

const own = (nodes: string) => `{"einstream":1,"nodes":[${nodes}],"inputs":[],"outputs":[]}`;
const nested = (depth: number) => `{"tensors":[],"nodes":[],"note":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const deepest = nested(64);

describe('the limits of a graph (G14)', () => {
  it('have documented defaults', () => {
    expect(GRAPH_LIMITS).to.include({
      bytes: 268_435_456,
      nodes: 2_000_000,
      tensors: 4_000_000,
      depth: 64,
      tensorBytes: 268_435_456,
    });
  });

  const cases: readonly (readonly [string, string, ParseOptions, ParseOptions])[] = [
    ['bytes', chainText(2), { bytes: chainText(2).length }, { bytes: chainText(2).length - 1 }],
    ['nodes', chainText(3), { nodes: 3 }, { nodes: 2 }],
    ['tensors', chainText(3), { tensors: 4 }, { tensors: 3 }],
    ['nodes of our own form', own('{"op":"input"},{"id":1,"op":"input"}'), { nodes: 2 }, { nodes: 1 }],
    ['ids of our own form', own('{"id":5,"op":"input"}'), { tensors: 6 }, { tensors: 5 }],
    ['size of our own form', '{"einstream":1,"size":9,"nodes":[]}', { tensors: 9 }, { tensors: 8 }],
    ['bytes of tensors', own('{"op":"constant","value":{"data":[1,2]}}'), { tensorBytes: 16 }, { tensorBytes: 15 }],
    ['depth', deepest, { depth: 64 }, { depth: 63 }],
  ];
  for (const [what, text, at, below] of cases) {
    it(`hold for ${what}: the limit passes, one more is E_LIMIT`, () => {
      parseGraph(text, at);
      expect(() => parseGraph(text, below))
        .to.throw()
        .with.property('code', 'E_LIMIT');
    });
  }

  it('hold at the default depth of 64', () => {
    parseGraph(nested(64));
    expect(() => parseGraph(nested(65)))
      .to.throw()
      .with.property('code', 'E_LIMIT');
  });

  it('are integers ≥ 0, or Infinity', () => {
    for (const nodes of [-1, 1.5, NaN, '3' as never, {} as never]) {
      expect(() => parseGraph(interchange({ tensors: ['x', 'y'], nodes: [unary('abs', 0, 1)], outputs: [1] }), { nodes }))
        .to.throw('a limit is an integer')
        .with.property('code', 'E_ARGUMENT');
    }
    parseGraph(chainText(3), { nodes: Infinity, tensors: Infinity });
  });
});
