/**
 * @file What a page has instead of what only Node has, file by file: a stand-in is good for what that file does, and for no other.
 */
import type { Plugin } from 'esbuild';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/sourceFiles.js';

interface StandIn {
  readonly importer: RegExp;
  readonly imported: RegExp;
  /** The module's text. */
  readonly text: () => string;
}

/** The cases, read when the script is made. */
function corpusAsFiles(): string {
  const folder = join(projectRoot, 'spec/oracle/cases');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return `
    const texts = new Map(Object.entries(${JSON.stringify(texts)}));
    export function readFileSync(url) {
      const text = texts.get(url.pathname.split('/').at(-1));
      if (text === undefined) throw new Error('a page has no file ' + url);
      return text;
    }`;
}

const STAND_INS: readonly StandIn[] = [
  { importer: /spec\/oracle\/corpus\.ts$/, imported: /^node:fs$/, text: corpusAsFiles },
  // Of a browser no flag is needed: should one be, the spec that sets it fails.
  {
    importer: /spec\/support\/relaxedSimd\.ts$/,
    imported: /^node:v8$/,
    text: () => "export const setFlagsFromString = (flag) => { throw new Error('a page has no flag ' + flag); };",
  },
  // A page has WebGPU by itself.
  {
    importer: /spec\/support\/gpuModes\.ts$/,
    imported: /\/webgpuInNode\.js$/,
    text: () => 'export const installWebGpu = async () => ({ missing: undefined, remove: () => undefined });',
  },
  // The page's server has the worker's file.
  {
    importer: /spec\/support\/threadedWasm\.ts$/,
    imported: /\/builtWorker\.js$/,
    text: () => 'export const buildWorker = () => undefined;',
  },
  // The runner came by a script tag.
  { importer: /spec\//, imported: /^mocha$/, text: () => 'module.exports = globalThis;' },
];

export const standIns: Plugin = {
  name: 'stand-ins',
  setup({ onResolve, onLoad }) {
    STAND_INS.forEach(({ importer, imported, text }, index) => {
      const namespace = `page${index}`;
      onResolve({ filter: imported }, (found) => (importer.test(found.importer) ? { path: found.path, namespace } : undefined));
      onLoad({ filter: /./, namespace }, () => ({ contents: text() }));
    });
  },
};
