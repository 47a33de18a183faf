/** @file Graph files for the specs of the command line, in a folder of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Graph } from '../../src/index.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';

export interface GraphFiles {
  readonly folder: string;
  /** Writes a file, and gives its path. */
  file(name: string, content: string | Uint8Array | Graph): string;
  remove(): void;
}

export function graphFiles(): GraphFiles {
  const folder = mkdtempSync(join(tmpdir(), 'einstream-cli-'));
  return {
    folder,
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' || content instanceof Uint8Array ? content : serializeGraph(content));
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
