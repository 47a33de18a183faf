/** @file A folder of its own for each test, and what a promise rejects with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EinstreamError } from '../../src/index.js';

/** Call it in a `describe`: gives the folder of the test that runs. */
export function folders(): () => string {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'einstream-node-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export const failure = async (promise: PromiseLike<unknown>): Promise<EinstreamError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EinstreamError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
