/**
 * @file A training on disk, one file for each seed: what is there is always whole, the old one or the new one.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseState, serializeState, type TrainState } from '../../src/index.js';

export interface Checkpoint {
  readonly path: string;
  /** Undefined where nothing was saved. */
  readonly read: () => TrainState | undefined;
  readonly write: (state: TrainState) => void;
  readonly remove: () => void;
}

export function checkpointIn(folder: string, name: string): Checkpoint {
  const path = join(folder, name);
  return {
    path,
    read: () => (existsSync(path) ? parseState(readFileSync(path)) : undefined),
    // Beside its place first, on the disk for certain, and only then in its place: a rename is all or nothing.
    write(state) {
      mkdirSync(folder, { recursive: true });
      const beside = `${path}.${process.pid}`;
      const file = openSync(beside, 'w');
      try {
        const bytes = serializeState(state);
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
