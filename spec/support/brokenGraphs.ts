/**
 * @file Short ways to make broken graphs in specs, and what is said of a table of them.
 */
import { expect } from 'chai';
import type { Diagnostic } from '../../src/errors/index.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import type { Graph } from '../../src/graph/graph.js';
import { validate } from '../../src/graph/validate/validate.js';
import { interchange, type Interchange } from './interchange.js';

export const errorsOf = (g: Graph): Diagnostic[] => validate(g).filter(({ severity }) => severity === 'error');

export const read = (g: Interchange): Graph => parseGraph(interchange(g));

/** A graph in our own form; by default `x` is fed and node 1 is the output `y`. */
export const ours = (nodes: string, rest = '"inputs":[0],"outputs":[{"name":"y","id":1}]'): Graph =>
  parseGraph(`{"einstream":1,"nodes":[${nodes}],${rest}}`);

/** An input `x` of shape [n, 3] in our own form. */
export const X = '{"op":"input","name":"x","dims":["n",3]}';

/** What is wrong, a graph in which nothing else is, its code and a part of its message. */
export type Fault = readonly [what: string, graph: Graph, code: string, message: string];

/** Each graph gives exactly one error, the one that is meant. */
export function reportsEach(faults: readonly Fault[]): void {
  for (const [what, g, code, message] of faults) {
    it(`reports ${what} (F093, G2)`, () => {
      const errors = errorsOf(g);
      expect(errors.map((error) => error.message)).to.have.length(1);
      expect(errors[0].code).to.equal(code);
      expect(errors[0].message).to.include(message);
    });
  }
}
