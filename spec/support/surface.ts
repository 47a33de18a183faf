/** @file The public surface as the compiler sees it: every name that an entry exports, with its documentation. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from './sourceFiles.js';

/** One exported name. `doc` is its comment, code examples included; `place` is the file and line of the declaration. */
export interface Exported {
  readonly name: string;
  readonly kind: 'value' | 'type';
  readonly doc: string;
  readonly place: string;
}

/** The public entries that exist: `index`, `testing`, … */
export const entryNames = (): string[] => {
  const top = readdirSync(join(projectRoot, 'src')).map((name) => /^(.+)\.ts$/.exec(name)?.[1]);
  return top.filter((name) => name !== undefined && name !== 'cli' && name !== 'executor') as string[];
};

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noLib: true, // names and comments need no library types
  types: [],
};

/** A host that reads `files` (path from the project's root → text) before the disk. */
function hostWith(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const inMemory = new Map([...files].map(([path, text]) => [join(projectRoot, path), text]));
  return {
    ...host,
    fileExists: (path) => inMemory.has(path) || host.fileExists(path),
    readFile: (path) => inMemory.get(path) ?? host.readFile(path),
    getSourceFile: (path, target) => {
      const text = inMemory.get(path) ?? host.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    },
  };
}

function describeExport(symbol: ts.Symbol, checker: ts.TypeChecker): Exported {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const node = target.declarations?.[0];
  const source = node?.getSourceFile();
  const line = node && source ? source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 : 0;
  const tags = target.getJsDocTags(checker).filter((tag) => tag.name === 'example');
  const parts = [target.getDocumentationComment(checker), ...tags.map((tag) => tag.text ?? [])];
  return {
    name: symbol.name,
    kind: target.flags & ts.SymbolFlags.Value ? 'value' : 'type',
    doc: parts.map((part) => ts.displayPartsToString(part)).join('\n'),
    place: `${source?.fileName.replace(projectRoot, '') ?? '?'}:${line}`,
  };
}

/** What each entry exports, in alphabetical order. */
export function surfaceOf(
  entries: readonly string[],
  files: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, readonly Exported[]> {
  const paths = entries.map((entry) => join(projectRoot, `src/${entry}.ts`));
  const program = ts.createProgram(paths, options, hostWith(files));
  const checker = program.getTypeChecker();
  return new Map(
    entries.map((entry, i) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(paths[i])!);
      const exported = module ? checker.getExportsOfModule(module).map((symbol) => describeExport(symbol, checker)) : [];
      return [entry, exported.sort((a, b) => (a.name < b.name ? -1 : 1))];
    }),
  );
}

/** Exports whose comment says nothing, or next to nothing. */
export const undocumented = (exported: readonly Exported[]) =>
  exported.filter(({ doc }) => doc.trim().length < 15).map(({ name, place }) => `${name} (${place})`);

/** Values whose comment shows no example. */
export const withoutExample = (exported: readonly Exported[]) =>
  exported.filter(({ kind, doc }) => kind === 'value' && !doc.includes('```ts')).map(({ name, place }) => `${name} (${place})`);

/** The surface as it is committed: names of values and of types by entry. */
export type SurfaceList = Readonly<Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }>>;

/** The list to commit for a surface. */
export function listOf(surface: ReadonlyMap<string, readonly Exported[]>): SurfaceList {
  const names = (exported: readonly Exported[], kind: Exported['kind']) =>
    exported.filter((one) => one.kind === kind).map(({ name }) => name);
  return Object.fromEntries(
    [...surface].map(([entry, all]) => [entry, { values: names(all, 'value'), types: names(all, 'type') }]),
  );
}

/** What was added (`+ index: name`) and what went away (`- index: name`). */
export function surfaceChanges(committed: SurfaceList, present: SurfaceList): string[] {
  const flat = (list: SurfaceList) =>
    Object.entries(list).flatMap(([entry, { values, types }]) => [...values, ...types].map((name) => `${entry}: ${name}`));
  const [before, after] = [new Set(flat(committed)), new Set(flat(present))];
  return [
    ...[...after].filter((name) => !before.has(name)).map((name) => `+ ${name}`),
    ...[...before].filter((name) => !after.has(name)).map((name) => `- ${name}`),
  ];
}
