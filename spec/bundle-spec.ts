/** @file A page's bundle: it has what the page names, and what that needs, and no more. */
import { expect } from 'chai';
import { build, type BuildResult } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allOps, findOp } from '../src/ops/registry.js';
import { INTERCHANGE } from '../src/ops/interchange.js';
import { isLarge } from './support/property.js';
import { projectRoot } from './support/sourceFiles.js';

describe('a bundle of einstream', function () {
  this.timeout(30_000);
  let folder: string;
  let outputs: NonNullable<BuildResult['metafile']>['outputs'];
  const codes: string[] = [];
  const nameOf = (at: number): string => `page-${at}`;

  // Inside the project, so that rxjs and immer are found, which stay outside the bundle. In one build the sources are read once.
  before(async () => {
    mkdirSync(join(projectRoot, '.cache'), { recursive: true });
    folder = mkdtempSync(join(projectRoot, '.cache/bundle-'));
    codes.forEach((code, at) => writeFileSync(join(folder, `${nameOf(at)}.ts`), code));
    const { metafile } = await build({
      entryPoints: codes.map((_, at) => join(folder, `${nameOf(at)}.ts`)),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      external: ['rxjs', 'immer'],
      metafile: true,
      absWorkingDir: projectRoot,
      logLevel: 'silent',
    });
    ({ outputs } = metafile);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A page that is bundled: gives what its `result` is, and the modules of which its bundle has anything. */
  function page(code: string) {
    const name = `${nameOf(codes.push(code) - 1)}.mjs`;
    return async () => {
      const { inputs } = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}`))![1];
      const modules = Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0);
      const { result } = (await import(pathToFileURL(join(folder, name)).href)) as { readonly result: unknown };
      return { result, modules };
    };
  }
  const opsIn = (modules: readonly string[]) =>
    modules.filter((name) => /^src\/ops\/(binary|like|movement|reduce|softlogic|softmax|ternary|unary)\//.test(name));

  const einsumAlone = page(`
    import { einsum, evaluateSync, graph, input, tensor } from '../../src/index.ts';
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: einsum('i,i', x, x) }));
    export const result = [evaluateSync(g, { x: [3, 4] }).y.toArray(), einsum('i->', tensor([1, 2])).toArray()];
  `);
  it('leaves out the ops that nothing names: a page with einsum alone runs it', async () => {
    const { result, modules } = await einsumAlone();
    expect(result).to.deep.equal([25, 3]);
    expect(opsIn(modules)).to.deep.equal([]);
  });

  const byName = page(`
    import { ops, tensor } from '../../src/index.ts';
    const x = tensor([-1, 2]);
    export const result = [Object.keys(ops), ops.relu(x).toArray(), ops.one_minus(x).toArray(), ops.multiply(x, x).toArray()];
  `);
  it('has every op where it has the record by name, also by NumPy’s and the interchange format’s spelling', async () => {
    const { result } = await byName();
    const [names, ...values] = result as [readonly string[], ...unknown[]];
    expect(values).to.deep.equal([
      [0, 2],
      [2, -1],
      [1, 4],
    ]);
    const expected = allOps().flatMap((op) => [op.name, ...(op.aliases ?? [])]);
    expect([...names].sort()).to.deep.equal([...expected].sort());
    const spoken = Object.values(INTERCHANGE).flatMap((table) => [...table.values()]);
    expect(spoken.filter((name) => findOp(name) === undefined)).to.deep.equal([]);
  });

  const fromTexts = page(`
    import { evaluateSync, parseGraph } from '../../src/index.ts';
    const g = parseGraph('{"tensors": ["x", "y"], "nodes": [{"op": {"ElemUnary": {"op": "relu"}}, "inputs": [0], "outputs": [1]}], "inputs": [0], "outputs": [1]}');
    export const result = evaluateSync(g, { x: [-1, 2] }).y.toArray();
  `);
  it('has every op where it reads graphs from texts', async () => {
    const { result } = await fromTexts();
    expect(result).to.deep.equal([0, 2]);
  });

  const differentiating = page(`
    import { backward, evaluateSync, gradient, graph, input, tanh, tensor, variable } from '../../src/index.ts';
    const g = graph({ x: input([]) }, ({ x }) => ({ y: tanh(x) }));
    const x = variable(tensor(0));
    export const result = [evaluateSync(gradient(g, { of: 'y', wrt: ['x'] }), { x: 0 }).x.toArray(), backward(tanh(x)).of(x).toArray()];
  `);
  const plainPage = page(`
    import { evaluateSync, graph, input, tanh } from '../../src/index.ts';
    export const result = evaluateSync(graph({ x: input([]) }, ({ x }) => ({ y: tanh(x) })), { x: 0 }).y.toArray();
  `);
  it('has what rules for gradients are made of where it differentiates, and only there', async () => {
    const { result, modules } = await differentiating();
    expect(result).to.deep.equal([1, 1]);
    expect(modules).to.include('src/ops/backward.ts');
    const plain = await plainPage();
    expect(plain.result).to.equal(0);
    expect(opsIn(plain.modules)).to.deep.equal(['src/ops/unary/hyperbolic.ts']);
    expect(plain.modules.filter((name) => /backward/.test(name))).to.deep.equal([]);
  });

  const aggressive = page(`
    import { evaluateSync, graph, input, matmul, sum } from '../../src/index.ts';
    const g = graph({ x: input([2, 2]) }, ({ x }) => ({ y: sum(matmul(x, x)) }));
    export const result = evaluateSync(g, { x: [[1, 2], [3, 4]] }, { level: 'aggressive' }).y.toArray();
  `);
  it('runs at level aggressive also where it names no einsum to write joined contractions with', async () => {
    const { result, modules } = await aggressive();
    expect(result).to.equal(54);
    expect(modules).to.not.include('src/ops/einsum/einsum.ts');
  });

  if (!isLarge()) return;

  const ownOp = page(`
    import { defineOp, evaluateSync, graph, input, ops, s } from '../../src/index.ts';
    const twice = defineOp({ name: 'twice', doc: '2x.', arity: 1, dtype: ([x]) => x, shape: ([x]) => x, expr: (x) => s.mul(2, x), examples: [[1, 2]] });
    const g = graph({ x: input([2]) }, ({ x }) => ({ y: twice(ops.twice(x)) }));
    export const result = evaluateSync(g, { x: [1, 2] }).y.toArray();
  `);
  it('knows the ops that a page defines itself, by name too', async () => {
    const { result } = await ownOp();
    expect(result).to.deep.equal([4, 8]);
  });

  const asking = page(`
    import { js, supportTable } from '../../src/index.ts';
    export const result = new Set(supportTable(js()).map(({ op }) => op)).size;
  `);
  it('has every op where it asks what a backend supports', async () => {
    const { result } = await asking();
    expect(result).to.equal(allOps().length);
  });
});
