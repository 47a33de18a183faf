/** @file Child processes of a pool start without what only those need who connect to somebody (L4). */
import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { executorPool } from '../../../src/index.js';
import { ownEnvironment } from '../../../src/stream/pool/processes.js';
import { buildPoolWorker, buildScript } from '../../support/builtPool.js';

const NAME = 'NODE_EXTRA_CA_CERTS';

describe("the environment of a pool's child process", function () {
  this.timeout(60_000);

  it('names no certificates, which Node would read before it starts, unless something else is loaded there', () => {
    const given = { PATH: '/bin', [NAME]: '/certificates.pem' };
    expect({ ...ownEnvironment(given) }).to.deep.equal({ PATH: '/bin', [NAME]: undefined });
    const more = { ...given, NODE_OPTIONS: '--import=telling' };
    expect(ownEnvironment(more)).to.equal(more);
  });

  if (process.platform === 'linux')
    it("is the parent's own for a script of the user's, which may connect", async () => {
      buildPoolWorker();
      const script = buildScript('spec/support/children/wildWorker.ts');
      const { [NAME]: before, NODE_OPTIONS: options } = process.env;
      const path = `${fileURLToPath(script.url)}.pem`;
      writeFileSync(path, rootCertificates[0]);
      delete process.env['NODE_OPTIONS'];
      process.env[NAME] = path;
      try {
        for (const [file, isNamed] of [
          [undefined, false],
          [script.url, true],
        ] as const) {
          const pool = await executorPool({ workers: 1, kind: 'process', script: file });
          const environment = readFileSync(`/proc/${pool.stats().workers[0].pid}/environ`, 'utf8').split('\0');
          await pool.close();
          expect(environment.includes(`${NAME}=${path}`), String(file)).to.equal(isNamed);
          expect(environment.some((each) => each.startsWith('PATH='))).to.equal(true);
        }
      } finally {
        delete process.env[NAME];
        if (before !== undefined) process.env[NAME] = before;
        if (options !== undefined) process.env['NODE_OPTIONS'] = options;
        script.remove();
      }
    });
});
