/**
 * @file What a job of flows is built of: stages with names, through which barriers pass.
 */
import type { OperatorFunction } from 'rxjs';
import { fault } from '../../errors/index.js';
import { teller } from '../../run/ending.js';
import { checkBounds, readCount } from '../demand/bounds.js';
import type { Flow } from '../demand/flow.js';
import { joined, type JoinOptions } from '../demand/join.js';
import { outlet } from '../demand/outlet.js';
import { passage, type ThroughOptions } from '../demand/through.js';
import type { KeptState } from './stage.js';

/** Given to `flow`. Each stage has a name of its own, under which it is found again. `fork` needs none. */
export interface FlowStage {
  /**
   * As `through`. `make` gives the operator, and gets its kept state: `({ from, state }) => window(kind, { from, state })`. One without a
   * state leaves it alone. An operator that answers later gives one output for each input: a barrier waits for what is in it, and
   * holds back what follows.
   */
  through<A, B, S = never>(
    name: string,
    make: (kept: KeptState<S>) => OperatorFunction<A, B>,
    options: ThroughOptions<A | B>,
  ): (flow: Flow<A>) => Flow<B>;
  /** As `join`. A barrier waits until it is there on each input, and what follows it on one waits for the others. */
  join<R extends Readonly<Record<string, unknown>>>(
    name: string,
    flows: { readonly [K in keyof R]: Flow<R[K]> },
    options?: JoinOptions,
  ): Flow<R>;
}

interface Part {
  readonly state: unknown;
  readonly waiting: unknown;
}

/** @param saved the parts of stages at the last checkpoint, by name */
export function flowStages(saved: Readonly<Record<string, unknown>>): {
  readonly stage: FlowStage;
  readonly names: () => string[];
} {
  const names = new Set<string>();
  const claim = (name: string): Part | undefined => {
    if (typeof name !== 'string' || name === '' || names.has(name))
      throw fault('E_NAME', {
        place: 'stage',
        rule: 'each stage of a job has a name of its own',
        actual: JSON.stringify(name) ?? typeof name,
      });
    names.add(name);
    return Object.hasOwn(saved, name) ? (saved[name] as Part) : undefined;
  };
  return {
    names: () => [...names],
    stage: {
      through<A, B, S>(name: string, make: (kept: KeptState<S>) => OperatorFunction<A, B>, options: ThroughOptions<A | B>) {
        checkBounds(`stage ${name}`, options);
        const part = claim(name);
        let read = (): unknown => undefined;
        const state = (reader: () => S): void => void (read = reader);
        const from = part?.state === undefined ? {} : { from: part.state as S };
        const waiting = (part?.waiting ?? []) as readonly B[];
        const operator = make({ ...from, state });
        return (flow: Flow<A>): Flow<B> => ({
          open: (sink) =>
            outlet<B>(sink, teller(options.onDiagnostic), (out) =>
              passage(flow, operator, options, out, { name, waiting, read: () => read() }),
            ),
        });
      },
      join<R extends Readonly<Record<string, unknown>>>(
        name: string,
        flows: { readonly [K in keyof R]: Flow<R[K]> },
        { credits = 1 }: JoinOptions = {},
      ): Flow<R> {
        readCount(`stage ${name}`, 'credits', credits);
        const waiting = (claim(name)?.waiting ?? {}) as Readonly<Record<string, readonly unknown[]>>;
        const inputs = Object.entries(flows as Readonly<Record<string, Flow<unknown>>>);
        return { open: (sink) => outlet<R>(sink, teller(undefined), (out) => joined(inputs, credits, out, { name, waiting })) };
      },
    },
  };
}
