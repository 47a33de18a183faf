/** @file What the lock file brings in: hashes, sources, scripts. */
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFaults, type Lock } from './support/lockFile.js';
import { isLarge } from './support/property.js';
import { runProcess } from './support/runProcess.js';
import { projectRoot } from './support/sourceFiles.js';

const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock;
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
// Both bring their binary inside a package: neither script has to run, and package.json denies them.
const mayHaveScripts = ['node_modules/esbuild', 'node_modules/webgpu'];

describe('the lock file', () => {
  it('has a hash for each package, names no host, and takes nothing from git or a bare address (X1)', () => {
    console.log(`  lock file: ${packages.length} packages`);
    expect(packages.length).to.be.above(100);
    expect(lockFaults(lock)).to.deep.equal([]);
  });

  it('is shown to bite (X1)', () => {
    const faults = (entry: object) =>
      lockFaults({ packages: { '': {}, 'node_modules/x': { version: '1.0.0', integrity: 'sha512-a', ...entry } } });
    expect(faults({})).to.deep.equal([]);
    expect(faults({ integrity: undefined })).to.deep.equal(['node_modules/x has no integrity']);
    expect(faults({ resolved: 'https://example.org/x.tgz' })).to.deep.equal([
      'node_modules/x comes from https://example.org/x.tgz',
    ]);
    expect(faults({ resolved: 'git+ssh://git@example.org/x.git' })).to.have.length(1);
    expect(faults({ dependencies: { y: 'github:a/b' } })).to.deep.equal(['node_modules/x depends on y: github:a/b']);
    expect(faults({ link: true, resolved: '../elsewhere', integrity: undefined })).to.deep.equal([
      'node_modules/x links to ../elsewhere',
    ]);
  });

  it('pins the versions that were tried together', () => {
    const version = (name: string) => lock.packages[`node_modules/${name}`]?.version;
    const pinned = {
      rxjs: '7.8.2',
      immer: '11.2.13',
      typescript: '6.0.3',
      'ts-node': '10.9.2',
      mocha: '11.8.0',
      chai: '6.3.0',
      sinon: '22.1.0',
      'gpu.js': '2.24.1',
    };
    for (const [name, expected] of Object.entries(pinned)) expect(version(name), name).to.equal(expected);
  });

  it('has install scripts in packages of the allow-list alone, all of them for development (X2)', () => {
    const scripted = packages.filter(([, entry]) => entry.hasInstallScript);
    expect(scripted.map(([path]) => path)).to.deep.equal(mayHaveScripts);
    expect(scripted.filter(([, entry]) => !entry.dev)).to.deep.equal([]);
    const { allowScripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { allowScripts: object };
    expect(allowScripts).to.deep.equal(
      Object.fromEntries(mayHaveScripts.map((path) => [path.replace('node_modules/', ''), false])),
    );
  });

  if (isLarge())
    it('is audited where the registry answers, and says so where it does not (X3)', function () {
      this.timeout(30_000);
      const { stdout } = runProcess('npm', ['audit', '--omit=dev', '--json'], { timeout: 20_000 });
      const report = parseAudit(stdout);
      if (report === undefined) return console.log('  npm audit: unreachable, so nothing is known');
      console.log(`  npm audit: ${report.total} known vulnerabilities in what users install`);
      expect(report.total).to.equal(0);
    });

  it('is in git, with no file that git should not hold', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).split('\n');
    expect(files).to.include('package-lock.json');
    expect(files.filter((file) => /^(node_modules|dist)\/|\.tgz$/.test(file))).to.deep.equal([]);
  });
});

/** The count of `npm audit --json`, or undefined when it holds no report. */
function parseAudit(text: string): { readonly total: number } | undefined {
  try {
    return (JSON.parse(text) as { metadata?: { vulnerabilities: { total: number } } }).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}
