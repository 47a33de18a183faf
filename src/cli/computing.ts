/**
 * @file Who computes the units of a run: this thread, or the workers of a pool.
 */
import type { OperatorFunction } from 'rxjs';
import { js, wasm, type Backend } from '../backends/index.js';
import type { Diagnostic } from '../errors/index.js';
import type { Graph } from '../graph/graph.js';
import { run } from '../run/index.js';
import { eachLine } from './each-line.js';
import type { RunSettings } from './run-options.js';
import type { Answer, Unit } from './units.js';

export interface Computing {
  readonly compute: OperatorFunction<Unit, Answer>;
  /** Units that it has something to do with at one time. */
  readonly ahead: number;
  readonly close: () => Promise<void>;
}

const BACKENDS: Readonly<Record<RunSettings['backend'], () => Promise<{ readonly backend?: Backend }>>> = {
  default: () => Promise.resolve({}),
  js: () => Promise.resolve({ backend: js() }),
  wasm: async () => ({ backend: await wasm() }),
};

/** Units for each worker: it computes one, and the others need not be waited for. */
const PER_WORKER = 4;

/** @throws EinstreamError what `run` throws, or what starting workers does */
export async function computing(
  graph: Graph,
  { backend, keep, level, workers }: RunSettings,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): Promise<Computing> {
  if (workers === 0) {
    const operator = run(graph, { ...(await BACKENDS[backend]()), level, keep, onDiagnostic });
    return { compute: eachLine(operator), ahead: 16, close: () => Promise.resolve() };
  }
  const [{ executorPool }, { byWorkers }] = await Promise.all([import('../stream/pool/index.js'), import('./by-workers.js')]);
  const pool = await executorPool({
    workers,
    ...(backend === 'default' ? {} : { backend }),
    // What waits is bounded by the number of lines on their way.
    maxQueueBytes: Number.MAX_SAFE_INTEGER,
    onDiagnostic,
  });
  const ahead = PER_WORKER * workers;
  return { compute: byWorkers(pool, graph, ahead), ahead, close: () => pool.close({ mode: 'abort' }) };
}
