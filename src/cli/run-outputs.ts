/**
 * @file The files and streams that a run writes to. With a checkpoint, files are such that they can be cut back to it.
 */
import type { Writable } from 'node:stream';
import { merge, NEVER, type Observable } from 'rxjs';
import { committingFile } from '../node/committing-file.js';
import type { CommittingSink } from '../stream/checkpoint/sink.js';
import { openOutput, refuseSame } from './files.js';
import type { RunSettings } from './run-options.js';
import { textSink } from './text-sink.js';

export interface RunOutputs {
  readonly out: CommittingSink<string>;
  readonly late: CommittingSink<string> | undefined;
  /** Errors of what is written to, also between two lines. */
  readonly failed$: Observable<never>;
  /** Lets go of files. */
  readonly end: () => Promise<void>;
}

interface Place {
  readonly sink: CommittingSink<string>;
  readonly failed$: Observable<never>;
  readonly end: () => Promise<void>;
}

/** @throws EinstreamError E_ARGUMENT for a file that cannot be written, or is used already */
export async function openOutputs(
  { graphFile, feedsFile, out, window, checkpoint }: RunSettings,
  stdout: Writable,
): Promise<RunOutputs> {
  const late = window?.late;
  const inputs = [graphFile, feedsFile];
  if (out !== undefined) await refuseSame('--out', out, inputs);
  if (late !== undefined) await refuseSame('--late', late, [...inputs, ...(out === undefined ? [] : [out])]);
  const open = checkpoint === undefined ? plainFile : keptFile;
  const first = out === undefined ? streamOf(stdout, () => Promise.resolve()) : await open(out);
  try {
    const second = late === undefined ? undefined : await open(late);
    return {
      out: first.sink,
      late: second?.sink,
      failed$: merge(first.failed$, second?.failed$ ?? NEVER),
      end: async () => {
        await first.end();
        await second?.end();
      },
    };
  } catch (error) {
    await first.end();
    throw error;
  }
}

function streamOf(stream: Writable, end: () => Promise<void>): Place {
  const sink = textSink(stream);
  return { sink, failed$: sink.failed$, end };
}

async function plainFile(file: string): Promise<Place> {
  const stream = await openOutput(file);
  return streamOf(stream, () => new Promise((resolve) => stream.end(resolve)));
}

function keptFile(file: string): Promise<Place> {
  const { open, write, commit, close } = committingFile(file);
  const sink: CommittingSink<string> = { open, write: (text, index) => write(`${text}\n`, index), commit, close };
  return Promise.resolve({ sink, failed$: NEVER, end: () => Promise.resolve() });
}
