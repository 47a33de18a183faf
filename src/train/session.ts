/**
 * @file Training of one subscriber: what a step leaves in the backend's memory is what the next one starts from.
 */
import type { Graph } from '../graph/graph.js';
import { computing, type Computed } from '../run/computing.js';
import type { Feeds, Outputs, RunOptions } from '../run/index.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TrainState } from './state.js';
import type { TrainStep } from './train.js';

/** Params and what the optimizer remembers, wherever they lie. */
type Values = Pick<TrainState, 'params' | 'slots'>;

/** Work on a graph that goes on when its outputs are there: at once, or later. */
type Running = Generator<readonly [Graph, Feeds], TrainStep, Pick<Computed, 'outputs' | 'resident'>>;

/** @param values those of the state, where they can be read best */
export type Steps = (state: TrainState, values: Values, batches: readonly Feeds[]) => Running;

export interface Session {
  readonly take: (state: TrainState, batches: readonly Feeds[]) => TrainStep;
  /** Gives all memory back. */
  readonly end: () => void;
}

export function session(steps: Steps, options: RunOptions): Session {
  const known = new Map<Graph, (feeds: Feeds) => Computed>();
  const compute = (graph: Graph, feeds: Feeds): Computed => {
    let own = known.get(graph);
    if (own === undefined) known.set(graph, (own = computing(graph, options)));
    return own(feeds);
  };
  /** Where the values of the last state lie. */
  let base: { readonly state: TrainState; readonly computed: Computed } | undefined;
  /** What else the last step told of. */
  let told: readonly Computed[] = [];
  const giveBack = (given: readonly (Computed | undefined)[]): void => given.forEach((each) => each?.giveBack());

  return {
    take(state, batches) {
      const isNext = base?.state === state;
      const values = isNext ? residentOf(state, base!.computed) : state;
      const running = steps(state, values, batches);
      let used: Computed[] = [];
      try {
        let turn = running.next();
        while (turn.done !== true) {
          used.push(compute(...turn.value));
          // A sum of gradients is read by the next one only.
          giveBack(used.slice(0, -2));
          used = used.slice(-2);
          turn = running.next(used.at(-1)!);
        }
        const done = turn.value;
        giveBack(told);
        if (done.isSkipped) {
          told = used;
          // The scale of the loss may be another one; what learns is the same.
          if (isNext) base = { ...base!, state: done.state };
        } else {
          giveBack([base?.computed]);
          base = { state: done.state, computed: used.at(-1)! };
          told = used.slice(0, -1);
        }
        return done;
      } catch (error) {
        giveBack(used);
        throw error;
      }
    },
    end() {
      giveBack([base?.computed, ...told]);
      [base, told] = [undefined, []];
    },
  };
}

const residentOf = ({ params, slots }: TrainState, { resident }: Computed): Values => ({
  params: chosen(params, resident),
  slots: chosen(slots, resident),
});

export const chosen = (names: Readonly<Record<string, Tensor>>, from: Outputs): Readonly<Record<string, Tensor>> =>
  Object.freeze(Object.fromEntries(Object.keys(names).map((name) => [name, from[name]])));
