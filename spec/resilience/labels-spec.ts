/** @file Whatever fails, and whatever is done about it, results are labelled rightly: none mislabelled (P18). */
import { expect } from 'chai';
import fc from 'fast-check';
import { from } from 'rxjs';
import {
  add,
  backendOf,
  exp,
  graph,
  input,
  js,
  mul,
  named,
  recovering,
  run,
  sum,
  valueOf,
  type Backend,
  type Frame,
  type Middleware,
  type RecoveryResult,
  type RecoveryStrategy,
} from '../../src/index.js';
import { virtually } from '../support/marbles.js';
import { failingFor } from '../support/middleware.js';
import { propertyRuns, propertySeed } from '../support/property.js';
import { elements } from '../support/recovered.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input([2]) }, ({ x }) => {
  const a = named('a', mul(x, 2));
  const [b, c] = [named('b', sum(a)), named('c', exp(a))];
  return { b, c, d: named('d', add(b, c)) };
});
const NEEDS = { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] } as const satisfies Readonly<Record<string, readonly string[]>>;
type Node = keyof typeof NEEDS;
const NODES = Object.keys(NEEDS) as readonly Node[];

const STRATEGIES = {
  failFast: 'failFast',
  retry: 'retry',
  partialResults: 'partialResults',
  checkpoint: 'checkpoint',
  degrade: { degrade: { useDefault: 7 } },
  fallback: { fallbackTo: js() },
} as const satisfies Readonly<Record<string, RecoveryStrategy>>;
type Name = keyof typeof STRATEGIES;

/** How many of the first attempts at a node fail. */
type Faults = Readonly<Record<Node, number>>;

const feedsOf = (count: number) => Array.from({ length: count }, (_, k) => ({ x: [k / 4, 1] }));
const feedOf = (frame: Frame): number => 4 * Number(valueOf(frame, g.inputs[0]).data[0]);
const rightOf = (count: number) => watch(from(feedsOf(count)).pipe(run(g, { backend: js() }))).values.map(elements);

/** What the results say, where only the backend named `primary` fails. */
function recovered(name: Name, retries: number, faults: readonly Faults[]): readonly RecoveryResult[] {
  const backend: Backend = { ...js(), name: 'primary' };
  const left = faults.map((each): Record<Node, number> => ({ ...each }));
  const use = NODES.map((node): Middleware => failingFor(node, (frame) => backendOf(frame).name === 'primary' && left[feedOf(frame)][node]-- > 0)); // prettier-ignore
  const results: RecoveryResult[] = [];
  const config = {
    strategy: STRATEGIES[name],
    retryPolicy: { count: retries, delay: () => 1 },
    maxFailures: Infinity,
    checkpointEvery: 2,
  };
  virtually(({ flush }) => {
    from(feedsOf(faults.length))
      .pipe(recovering(g, config, { backend, level: 'none', use }))
      .subscribe((result) => results.push(result));
    flush();
  });
  return results;
}

/** Nodes without a value of their own: those that failed too often, and what needs them. */
function lostOf(faults: Faults, retries: number): { readonly failed: readonly Node[]; readonly skipped: readonly Node[] } {
  const [failed, skipped]: [Node[], Node[]] = [[], []];
  for (const node of NODES) {
    if (NEEDS[node].some((each) => [...failed, ...skipped].includes(each))) skipped.push(node);
    else if (faults[node] > retries) failed.push(node);
  }
  return { failed, skipped };
}

/** What each result must say of itself, and which of its outputs must be the right ones. */
function labelOf(name: Name, retries: number, faults: Faults): readonly unknown[] {
  const { failed, skipped } = lostOf(faults, name === 'failFast' ? 0 : retries);
  const isWhole = name === 'checkpoint' ? NODES.reduce((total, node) => total + faults[node], 0) <= retries : failed.length === 0;
  if (isWhole) return ['success', 'primary', false, [], ['b', 'c', 'd']];
  if (name === 'fallback') return ['success', 'fallback', true, [], ['b', 'c', 'd']];
  if (name === 'partialResults') {
    const lost = [...failed, ...skipped];
    return ['partialSuccess', lost.sort(), ['b', 'c', 'd'].filter((each) => !lost.includes(each as Node))];
  }
  if (name !== 'degrade') return ['failure'];
  // A substitute is a value: what needs it is computed of it, and only its own failures lead to another.
  const replaced = NODES.filter((node) => faults[node] > retries);
  const touched = new Set<string>(replaced);
  for (const node of NODES) if (NEEDS[node].some((each) => touched.has(each))) touched.add(node);
  return ['success', 'primary', true, replaced, ['b', 'c', 'd'].filter((each) => !touched.has(each))];
}

function saidOf(result: RecoveryResult, right: object, wanted: readonly unknown[]): readonly unknown[] {
  if (result.kind === 'failure') return ['failure'];
  const isRight = (name: string): boolean =>
    JSON.stringify((elements(result.outputs) as Record<string, unknown>)[name]) ===
    JSON.stringify((right as Record<string, unknown>)[name]);
  if (result.kind === 'partialSuccess')
    return ['partialSuccess', result.failedNodes.map(({ node }) => node).sort(), Object.keys(result.outputs).filter(isRight)];
  const { path, degraded, substituted } = result;
  // A substitute may happen to be what is right: only those that are said to be right are asked.
  const sure = (wanted[4] as readonly string[] | undefined)?.filter(isRight);
  return ['success', path, degraded, substituted.map(({ node }) => node), sure];
}

describe('the labels of recovering (P18)', () => {
  it('say which path was taken, what was substituted, what failed and what was left out: of all results, none is mislabelled', () => {
    const faults = fc.record(
      Object.fromEntries(NODES.map((node) => [node, fc.constantFrom(0, 0, 0, 1, 2, 3)])) as Record<Node, fc.Arbitrary<number>>,
    );
    const plan = fc.tuple(fc.constantFrom(...(Object.keys(STRATEGIES) as Name[])), fc.nat(2), fc.array(faults, { minLength: 1, maxLength: 4 })); // prettier-ignore
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(plan, ([name, retries, all]) => {
        const results = recovered(name, retries, all);
        const right = rightOf(all.length);
        expect(results).to.have.length(all.length);
        results.forEach((result, at) => {
          const wanted = labelOf(name, retries, all[at]);
          expect(saidOf(result, right[at], wanted), `${name}, feed ${at}`).to.deep.equal(wanted);
          kinds.set(`${name} ${result.kind}`, (kinds.get(`${name} ${result.kind}`) ?? 0) + 1);
        });
      }),
      { seed: propertySeed(), numRuns: propertyRuns(80, 2_000, 30_000) },
    );
    const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
    console.log(`    ${total} results of ${kinds.size} kinds: 0 mislabelled`);
    expect(kinds.size).to.be.at.least(9);
  });
});
