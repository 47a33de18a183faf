/**
 * @file The rule of layers: which file may import which.
 *
 * Later layers import earlier ones; layers of one row may import each other, files never in a circle. A type-only import is
 * an arrow like any other, but closes no circle: it is erased, so nothing is read before it exists.
 * Works on a map of path to text, so that the rule itself can be tested on three-line examples.
 */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';

type Files = ReadonlyMap<string, string>;

const rows: readonly (readonly string[])[] = [
  ['errors'],
  ['tensor'],
  ['ops'],
  ['graph'],
  ['passes', 'autodiff', 'plan'],
  ['codegen'],
  ['backends'],
  ['run'],
  ['stream', 'resilience', 'observe', 'train', 'quantize'],
  ['serve'],
  ['distribute'],
  ['executor', 'cli', 'testing', 'node', 'worker'],
];
const entries = ['index', 'testing', 'node', 'gpu', 'worker'].map((name) => `src/${name}.ts`);
const rowOf = (layer: string) => rows.findIndex((row) => row.includes(layer));
const firstWithRxjs = rowOf('run');
const withNode = ['cli', 'node', 'worker'];

/** `src/ops/unary/exp.ts` → `ops`, `src/cli.ts` → `cli`. */
export const layerOf = (path: string) => path.split('/')[1].replace(/\.ts$/, '');

/** Everything that a file imports or re-exports, as written: static, type-only, dynamic and `require`. */
export const importsOf = (text: string) => ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);

const typeOnly = /\b(?:import|export)\s+type\s[^;'"=]*?\bfrom\s*(['"])[^'"]+\1/g;
const runtimeImportsOf = (text: string) => importsOf(text.replace(typeOnly, ''));

const isNodeModule = (name: string) => name.startsWith('node:') || builtinModules.includes(name.split('/')[0]);

function resolveImport(from: string, name: string, files: Files): string | undefined {
  const path = posix.join(posix.dirname(from), name);
  return [path.replace(/\.js$/, '.ts'), path].find((candidate) => files.has(candidate));
}

function faultOfPackage(path: string, name: string, allowed: readonly string[]): string | undefined {
  const layer = layerOf(path);
  if (isNodeModule(name))
    return withNode.includes(layer) ? undefined : `${path} imports ${name}: only ${withNode.join(', ')} may use Node`;
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  if (!allowed.includes(packageName)) return `${path} imports ${name}, which is not a dependency of the package`;
  if (packageName === 'rxjs' && rowOf(layer) < firstWithRxjs) return `${path} imports ${name}: RxJS starts at run/`;
  if (packageName === 'gpu.js' && !/^src\/(backends\/)?gpu\b/.test(path)) return `${path} imports gpu.js: only einstream/gpu may`;
  return undefined;
}

function faultOfFile(path: string, target: string): string | undefined {
  if (entries.includes(target)) return layerOf(path) === 'cli' ? undefined : `${path} imports the public entry ${target}`;
  const [from, to] = [rowOf(layerOf(path)), rowOf(layerOf(target))];
  return to > from ? `${path} imports ${target}: ${layerOf(path)} comes before ${layerOf(target)}` : undefined;
}

function faultOfImport(path: string, name: string, files: Files, allowed: readonly string[]): string | undefined {
  if (!name.startsWith('.')) return faultOfPackage(path, name, allowed);
  const target = resolveImport(path, name, files);
  if (target === undefined) return `${path} imports ${name}, which does not exist`;
  return entries.includes(path) ? undefined : faultOfFile(path, target);
}

/** What is wrong with a public entry: it holds nothing but `export … from`. */
function faultsOfEntry(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  const others = source.statements.filter((node) => !(ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined));
  return others.map((node) => `${path} may hold nothing but "export … from", yet says: ${node.getText(source).slice(0, 60)}`);
}

/** Every arrow against the order of layers, and every use of a package in the wrong place. `allowed`: the package's dependencies. */
export function layerFaults(files: Files, allowed: readonly string[]): string[] {
  return [...files].flatMap(([path, text]) => {
    if (entries.includes(path)) return [...faultsOfEntry(path, text), ...importFaults(path, text)];
    if (rowOf(layerOf(path)) < 0) return [`${path} belongs to no layer: "${layerOf(path)}" is unknown`];
    return importFaults(path, text);
  });
  function importFaults(path: string, text: string): string[] {
    return importsOf(text).flatMap((name) => faultOfImport(path, name, files, allowed) ?? []);
  }
}

/** Circles of imports between files, each as `a → b → a`. */
export function importCycles(files: Files): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) return void cycles.push([...trail.slice(start), path].join(' → '));
    if (done.has(path)) return;
    trail.push(path);
    for (const name of runtimeImportsOf(files.get(path)!)) {
      const target = name.startsWith('.') ? resolveImport(path, name, files) : undefined;
      if (target !== undefined) visit(target);
    }
    trail.pop();
    done.add(path);
  };
  for (const path of files.keys()) visit(path);
  return cycles;
}
