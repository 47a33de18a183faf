/**
 * @file A circuit for each graph: one that takes worker after worker with it is refused for a time.
 */
import { fault, type EinstreamError } from '../../errors/index.js';
import type { Plan } from './plan.js';

interface Circuit {
  losses: number;
  openUntil: number;
  /** The one request that is let through when the time is over, to see. */
  isProbing: boolean;
}

export interface Circuits {
  /** The error for a request that is refused; undefined where it is not. */
  readonly refusal: (plan: Plan) => EinstreamError | undefined;
  /** A request that is not refused starts: whether it is the one by which is seen how the graph does now. */
  readonly started: (plan: Plan) => boolean;
  readonly lost: (plan: Plan) => void;
  readonly answered: (plan: Plan) => void;
  /** That request has ended, whatever it has shown. */
  readonly probed: (plan: Plan) => void;
}

export function circuits(
  { losses, resetMs }: { readonly losses: number; readonly resetMs: number },
  clock: () => number,
): Circuits {
  const known = new WeakMap<Plan, Circuit>();
  return {
    refusal(plan) {
      const circuit = known.get(plan);
      if (circuit === undefined || circuit.losses < losses) return undefined;
      const left = circuit.openUntil - clock();
      return left > 0 || circuit.isProbing ? refused(circuit.losses, Math.max(0, left)) : undefined;
    },
    started(plan) {
      const circuit = known.get(plan);
      if (circuit === undefined || circuit.losses < losses) return false;
      return (circuit.isProbing = true);
    },
    lost(plan) {
      let circuit = known.get(plan);
      if (circuit === undefined) known.set(plan, (circuit = { losses: 0, openUntil: 0, isProbing: false }));
      circuit.losses++;
      circuit.isProbing = false;
      if (circuit.losses >= losses) circuit.openUntil = clock() + resetMs;
    },
    answered: (plan) => void known.delete(plan),
    probed(plan) {
      const circuit = known.get(plan);
      if (circuit !== undefined) circuit.isProbing = false;
    },
  };
}

const refused = (losses: number, leftMs: number): EinstreamError =>
  fault('E_WORKER_LOST', {
    place: 'circuit',
    rule: 'a graph that takes its workers with it is refused for a time',
    actual: `${losses} workers lost on it, one after another`,
    hint: `it is tried again in ${Math.ceil(leftMs)} ms`,
  });
