/**
 * @file What a job's operators are given: their states from the checkpoint, and a count of what is in flight.
 */
import { Observable, tap, type OperatorFunction } from 'rxjs';
import { fault } from '../../errors/index.js';
import type { Kept } from '../kept.js';

/** The options of an operator that remembers: where to start, and whom to hand a function that reads its state. */
export interface KeptState<S> extends Kept<S> {
  readonly state: (read: () => S) => void;
}

/** Given to `through`. */
export interface Stage {
  /**
   * The state of one operator, by a name of its own: `window({ …, ...keep('window') })`. In a new job `from` is undefined; in one that
   * goes on it is what the operator's `state` read at the barrier.
   */
  keep<S = never>(name: string): KeptState<S>;
  /**
   * Wraps an operator that answers later, with one output for each input (`run` on an asynchronous backend, a request to a server): a
   * barrier waits until it holds nothing, which one that drops items would never do.
   */
  inFlight<A, B>(operator: OperatorFunction<A, B>): OperatorFunction<A, B>;
}

export interface Stages {
  readonly stage: Stage;
  /** Items that are in one of those that answer later. */
  readonly flying: () => number;
  /** One of them hands something on, right now. */
  readonly isPassing: () => boolean;
  /** Of all states that are kept. */
  readonly names: () => readonly string[];
  /** All states as they are now. */
  readonly read: () => Readonly<Record<string, unknown>>;
}

/** @param landed called when something came out of `inFlight` and all that follows from it was done */
export function stages(saved: Readonly<Record<string, unknown>>, landed: () => void): Stages {
  const readers = new Map<string, (() => unknown) | undefined>();
  let [flying, depth] = [0, 0];
  const passing = (act: () => void): void => {
    depth++;
    act();
    depth--;
  };
  const stage: Stage = {
    keep<S>(name: string): KeptState<S> {
      if (typeof name !== 'string' || name === '' || readers.has(name)) throw misnamed(name);
      readers.set(name, undefined);
      return {
        ...(Object.hasOwn(saved, name) ? { from: saved[name] as S } : {}),
        state: (read) => void readers.set(name, read),
      };
    },
    inFlight: (operator) => (source$) =>
      new Observable((subscriber) => {
        let own = 0;
        const add = (count: 1 | -1) => ((own += count), (flying += count));
        return source$
          .pipe(
            tap(() => void add(1)),
            operator,
          )
          .subscribe({
            next(value) {
              passing(() => subscriber.next(value));
              add(-1);
              if (own < 0) subscriber.error(uneven('more'));
              else landed();
            },
            error: (error: unknown) => subscriber.error(error),
            complete: () => passing(() => (own === 0 ? subscriber.complete() : subscriber.error(uneven('fewer')))),
          });
      }),
  };
  return {
    stage,
    flying: () => flying,
    isPassing: () => depth > 0,
    names: () => [...readers.keys()],
    read: () => Object.fromEntries([...readers].map(([name, read]) => [name, read === undefined ? unread(name) : read()])),
  };
}

/** @throws EinstreamError E_ARGUMENT when a checkpoint has states for which the job has no operator */
export function requireSameStates(saved: Readonly<Record<string, unknown>>, own: readonly string[]): void {
  const lost = Object.keys(saved).filter((name) => !own.includes(name));
  if (lost.length === 0) return;
  throw fault('E_ARGUMENT', {
    place: 'checkpointed',
    rule: 'a job goes on with the operators that it had',
    expected: `states of ${Object.keys(saved).map((name) => `"${name}"`).join(', ')}`, // prettier-ignore
    actual: `nothing keeps ${lost.map((name) => `"${name}"`).join(', ')}`,
    hint: 'keep the names of states, or clear the store to begin anew',
  });
}

const uneven = (how: string) =>
  fault('E_ARGUMENT', {
    place: 'inFlight',
    rule: 'what is wrapped gives one output for each input, so that it is known when it holds nothing',
    actual: `${how} outputs than inputs`,
    hint: 'put filters, windows and the like outside of it',
  });

const misnamed = (name: string) =>
  fault('E_NAME', {
    place: 'keep',
    rule: 'each state of a job has a name of its own',
    actual: JSON.stringify(name) ?? typeof name,
    hint: 'name it after its operator',
  });

function unread(name: string): never {
  throw fault('E_ARGUMENT', {
    place: name,
    rule: 'an operator whose state is kept must hand it out',
    actual: 'its option "state" was not called',
    hint: `spread both options: { …, ...keep('${name}') }`,
  });
}
