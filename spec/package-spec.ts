/** @file The published package: what is in it, and that it works where it is installed. */
import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installInto, packInto, type Packed } from './support/packing.js';
import { propertyRuns, isLarge } from './support/property.js';
import { runProcess, runToSuccess } from './support/runProcess.js';
import { projectRoot, sourceFiles } from './support/sourceFiles.js';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
const bin = (name: string) => join(projectRoot, 'node_modules/.bin', name);
const entryNames = [...sourceFiles('src').keys()]
  .filter((path) => /^src\/[^/]+\.ts$/.test(path))
  .map((path) => path.slice(4, -3));
const isEntry = (name: string) => !['cli', 'executor'].includes(name);
const subpaths = entryNames.filter(isEntry).map((name) => (name === 'index' ? '.' : `./${name}`));

if (isLarge()) {
  describe('the package', function () {
    this.timeout(180_000);
    let folder: string;
    let consumer: string;
    let packed: Packed;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'einstream-pack-'));
      consumer = join(folder, 'consumer');
      packed = packInto(folder);
      installInto(consumer, packed.tarball);
      console.log(
        `  package: ${packed.files.length} files, ${Math.ceil(packed.size / 1024)} KB packed, ${Math.ceil(packed.unpackedSize / 1024)} KB unpacked`,
      );
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('exports each entry of src, and no other path (X4)', () => {
      expect(Object.keys(manifest.exports).sort()).to.deep.equal([...subpaths, './package.json'].sort());
    });

    it('holds dist, README, licence and manifest alone: no spec, no source map (X4)', () => {
      const strange = packed.files
        .map((file) => file.path)
        .filter((path) => !/^(dist\/.*(\.js|\.d\.ts|cjs\/package\.json)|README\.md|LICENSE|package\.json)$/.test(path));
      expect(strange).to.deep.equal([]);
    });

    it('names no absolute path of the machine that built it (X4)', () => {
      const named = [...sourceFiles('dist', ['.js', '.d.ts'])].filter(([, text]) => text.includes(projectRoot));
      expect(named.map(([path]) => path)).to.deep.equal([]);
    });

    it('gives the same names to import and to require (X4)', () => {
      for (const subpath of subpaths) {
        const name = `einstream${subpath.slice(1)}`;
        const imported = `import * as all from '${name}'; console.log(Object.keys(all).sort().join());`;
        const required = `console.log(Object.keys(require('${name}')).sort().join());`;
        const names = runToSuccess(process.execPath, ['--input-type=module', '-e', imported], { cwd: consumer });
        expect(names.trim()).to.not.equal('');
        expect(runToSuccess(process.execPath, ['--no-experimental-require-module', '-e', required], { cwd: consumer })).to.equal(
          names,
        );
      }
    });

    it('is installed without gpu.js, webgpu, gl or any install script, and loads (X2) (X5) (F005)', () => {
      for (const name of ['gpu.js', 'webgpu', 'gl'])
        expect(existsSync(join(consumer, 'node_modules', name)), name).to.equal(false);
      const lock = JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { hasInstallScript?: boolean }>;
      };
      expect(Object.values(lock.packages).filter((entry) => entry.hasInstallScript)).to.deep.equal([]);
      runToSuccess(process.execPath, ['--input-type=module', '-e', "await import('einstream');"], { cwd: consumer });
    });

    it('has its worker beside it: two threads are two, by import and by require', () => {
      const use = 'wasm({ threads: 2 }).then((backend) => (console.log(backend.capabilities.remarks[0]), backend.close()));';
      for (const [flag, load] of [
        ['--input-type=module', "import { wasm } from 'einstream';"],
        ['--no-experimental-require-module', "const { wasm } = require('einstream');"],
      ])
        expect(runToSuccess(process.execPath, [flag, '-e', `${load} ${use}`], { cwd: consumer })).to.equal('2 threads compute\n');
    });

    it("has its pool's worker beside it: threads and processes answer, by import and by require", () => {
      const use = `const g = graph({ x: input([2]) }, ({ x }) => ({ y: mul(x, 2) }));
        const all = ['thread', 'process'].map(async (kind) => {
          const pool = await executorPool({ workers: 1, kind });
          const { y } = await pool.evaluate(g, { x: [1, 2] });
          await pool.close();
          return y.toArray();
        });
        Promise.all(all).then((answers) => console.log(JSON.stringify(answers)));`;
      for (const [flag, load] of [
        ['--input-type=module', "import { executorPool, graph, input, mul } from 'einstream';"],
        ['--no-experimental-require-module', "const { executorPool, graph, input, mul } = require('einstream');"],
      ])
        expect(runToSuccess(process.execPath, [flag, '-e', `${load} ${use}`], { cwd: consumer })).to.equal('[[2,4],[2,4]]\n');
    });

    it('runs a script of one’s own as a worker, with ops of its own', () => {
      writeFileSync(
        join(consumer, 'worker.mjs'),
        "import { poolWorker } from 'einstream/worker';\nimport './op.mjs';\npoolWorker();\n",
      );
      writeFileSync(
        join(consumer, 'op.mjs'),
        "import { defineOp, s } from 'einstream';\nexport const thrice = defineOp({ name: 'thrice', doc: 'Three times.', arity: 1, dtype: () => 'float32', shape: ([x]) => x, expr: (x) => s.mul(3, x), examples: [[1, 3]] });\n",
      );
      const use = `import { executorPool, graph, input } from 'einstream'; import { thrice } from './op.mjs';
        const pool = await executorPool({ workers: 1, script: new URL('./worker.mjs', 'file://' + process.cwd() + '/') });
        const { y } = await pool.evaluate(graph({ x: input([2]) }, ({ x }) => ({ y: thrice(x) })), { x: [1, 2] });
        console.log(JSON.stringify(y.toArray()));
        await pool.close();`;
      writeFileSync(join(consumer, 'use.mjs'), use);
      expect(runToSuccess(process.execPath, ['use.mjs'], { cwd: consumer })).to.equal('[3,6]\n');
    });

    it('installs the command line as einstream (X4)', () => {
      const { status, stdout, stderr } = runProcess(join(consumer, 'node_modules/.bin/einstream'), ['--help'], { cwd: consumer });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(stdout).to.match(/einstream/);
    });

    it('is clean for publint', () => {
      const { status, stdout } = runProcess(process.execPath, [bin('publint'), 'run', packed.tarball, '--strict']);
      expect({ status, stdout }).to.have.property('status', 0);
      expect(stdout).to.match(/All good!/);
    });

    // Nine seconds of a type checker in four guises: CI's share.
    if (propertyRuns(0, 1, 1) === 1) {
      it('resolves its types from import, require and bundlers (attw)', () => {
        const { status, stdout } = runProcess(process.execPath, [
          bin('attw'),
          packed.tarball,
          '--profile',
          'node16',
          '--format',
          'table-flipped',
        ]);
        expect(status, stdout).to.equal(0);
      });
    }
  });
}
