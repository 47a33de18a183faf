/**
 * @file A soft-logic rule base as people write them: rules over shared predicates, each written out by itself.
 *
 * Rule k reads "if a and b, and not c, then d". Every rule computes its predicates and their negations anew, as a translator from
 * rules to graphs does that looks at one rule at a time. Half of the rules have their premises turned round, all have a weight
 * (of 1), and every tenth one is switched off: it is there and nobody asks for it.
 */
import { graph, input, param, type GraphSymbol } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add, einsum, mul, sigmoid, softLogic, type Logic } from '../../src/ops/index.js';
import { tensor, type Tensor } from '../../src/tensor/index.js';

const FEATURES = 4;

export interface RuleBase {
  readonly rules?: number;
  readonly predicates?: number;
  readonly logic?: Logic;
}

const numbers = (shape: readonly number[], salt: number): Tensor =>
  tensor(Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => (((i * 7 + salt * 13) % 17) - 8) / 8), { shape: [...shape] }); // prettier-ignore

/** How far each of n items obeys each rule that is on, `rule0` …, and all of them, `all`. 50 rules over 10 predicates by default. */
export function ruleBase({ rules = 50, predicates = 10, logic = 'product' }: RuleBase = {}): Graph {
  const { and, not, implies } = softLogic(logic);
  const weights = Object.fromEntries(Array.from({ length: predicates }, (_, k) => [`w${k}`, param(numbers([FEATURES], k))]));
  const declared = { x: input(['n', FEATURES]), ...weights };
  return graph(declared, (symbols: Readonly<Record<string, GraphSymbol>>) => {
    // Each call writes the predicate out once more.
    const holds = (k: number): GraphSymbol => sigmoid(add(einsum('nf,f->n', symbols.x, symbols[`w${k % predicates}`]), -0.125));
    const outputs: Record<string, GraphSymbol> = {};
    let all: GraphSymbol | undefined;
    for (let k = 0; k < rules; k++) {
      const [a, b] = k % 2 === 0 ? [holds(k), holds(k + 1)] : [holds(k + 1), holds(k)];
      const rule = mul(1, implies(and(and(a, b), not(holds(k + 2))), holds(k + 3 + Math.floor(k / predicates))));
      if (k % 10 === 9) continue;
      outputs[`rule${k}`] = rule;
      all = all === undefined ? rule : and(all, rule);
    }
    return { ...outputs, all: all! };
  });
}

/** Items for a rule base. */
export const ruleBaseFeeds = (items = 8): { readonly x: Tensor } => ({ x: numbers([items, FEATURES], 3) });
