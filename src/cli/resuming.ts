/**
 * @file The checkpoints of earlier calls: where to go on, or why not.
 */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { fault, type Diagnostic } from '../errors/index.js';
import { serializeGraph } from '../graph/formats/serialize.js';
import type { Graph } from '../graph/graph.js';
import { directoryStore } from '../node/directory-store.js';
import { checkpoints, type CheckpointStore } from '../stream/index.js';
import type { Place } from './ledger.js';
import type { RunSettings } from './run-options.js';

/** All that outputs depend on, beside the feeds: a run goes on with the same alone. */
export function callOf(graph: Graph, { backend, format, keep, level, out, window }: RunSettings): string {
  return JSON.stringify({
    graph: createHash('sha256').update(serializeGraph(graph, 'einstream')).digest('hex'),
    backend,
    format,
    keep,
    level,
    out: out === undefined ? null : resolve(out),
    window: window?.text ?? null,
    time: window?.time ?? null,
    delay: window?.delayMs ?? null,
    late: window?.late === undefined ? null : resolve(window.late),
  });
}

/** The same store, and a promise of the moment when nothing is being written any more: what comes after must not be older. */
export function quiet(store: CheckpointStore): { readonly store: CheckpointStore; readonly idle: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  const write: CheckpointStore['write'] = (bytes) => {
    const written = store.write(bytes);
    last = Promise.resolve(written);
    return written;
  };
  return {
    store: { ...store, write },
    // Whoever asked for it hears of a failure.
    idle: () => last.then(() => undefined).catch(() => undefined),
  };
}

export interface FoundOptions {
  readonly folder: string;
  readonly resume: boolean;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** A store, and what its newest checkpoint says. */
export interface Found {
  readonly store: CheckpointStore;
  /** The line to go on behind; undefined at the beginning. */
  readonly line: number | undefined;
  readonly isComplete: boolean;
}

/** @throws EinstreamError E_ARGUMENT when an unfinished run would be lost; what a store throws */
export async function findCheckpoint({ folder, resume, onDiagnostic }: FoundOptions): Promise<Found> {
  const store = directoryStore(folder);
  const saved = checkpoints(store, { onDiagnostic });
  const found = (await saved.latest())?.checkpoint;
  const isComplete = found?.['isComplete'] === true;
  if (resume) {
    const { input } = (found?.['states'] ?? {}) as { readonly input?: Place };
    return { store, line: found === undefined ? undefined : input?.line, isComplete };
  }
  if (found !== undefined && !isComplete)
    throw fault('E_ARGUMENT', {
      place: '--checkpoint',
      rule: 'a run that has not ended is not overwritten',
      actual: `one in ${folder}`,
      hint: 'go on with --resume, or remove the folder to begin anew',
    });
  if (found !== undefined) await saved.clear();
  return { store, line: undefined, isComplete: false };
}
