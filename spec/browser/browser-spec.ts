/**
 * @file Specs in a real browser: each page of `configurations.ts` runs its spec files, and its tests count here.
 *
 * Without a `chromium` on the PATH they are skipped, and say so; with `EINSTREAM_BROWSER=required` that is a failure.
 */
import { expect } from 'chai';
import { isLarge } from '../support/property.js';
import { bundle } from './bundle.js';
import { findChromium, launchChromium, type Chromium } from './chromium.js';
import { CONFIGURATIONS, PAGE_SPECS, type Configuration } from './configurations.js';
import { addTests } from './intoMocha.js';
import { portableSpecs } from './portable.js';
import { visit, type Visit } from './visit.js';

const path = findChromium();
const isRequired = process.env['EINSTREAM_BROWSER'] === 'required';

const configurations = CONFIGURATIONS.filter(({ size }) => size === (isLarge() ? 'ci' : 'test'));

async function specsOf({ specs }: Configuration): Promise<readonly string[]> {
  if (specs !== 'portable') return specs;
  const { portable, others } = await portableSpecs();
  console.log(`    ${portable.length} of ${portable.length + others.size} spec files need nothing of Node`);
  return portable;
}

async function visitPage({ browser }: Chromium, configuration: Configuration): Promise<Visit> {
  const entries = ['spec/browser/page/start.ts', ...(await specsOf(configuration)), ...PAGE_SPECS];
  const { finds, headers, isLarge: speaks = false } = configuration;
  const script = await bundle([...entries, 'spec/browser/page/finish.ts'], speaks ? 'ci' : 'test');
  const query = `?finds=${encodeURIComponent(JSON.stringify(finds))}`;
  return visit(browser, script, { headers, query, onLine: speaks ? (line) => console.log(line) : undefined });
}

function summaryOf({ tests, milliseconds }: Visit, version: string): string {
  const count = (state: string): number => tests.filter((test) => test.state === state).length;
  const figures = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `    chromium ${version}: ${figures} in ${(milliseconds / 1000).toFixed(1)} s`;
}

describe('in a real browser', function () {
  this.timeout(600_000);
  let chromium: Chromium;

  if (path === undefined) {
    for (const { title } of configurations) {
      it(`${title}: there is no chromium on the PATH`, function () {
        if (isRequired) throw new Error('EINSTREAM_BROWSER=required, so chromium must be there: install it');
        this.skip();
      });
    }
    return;
  }

  before(async () => {
    chromium = await launchChromium(path);
  });
  after(() => chromium?.end());

  for (const configuration of configurations) {
    describe(configuration.title, function () {
      const suite = this;
      let page: Visit;

      before(async () => {
        page = await visitPage(chromium, configuration);
        console.log(summaryOf(page, chromium.browser.version()));
        addTests(suite, page.tests);
      });

      it('runs its specs to their end', () => {
        if (page.fault !== undefined) throw new Error(page.fault);
        expect(page.tests).to.not.have.length(0);
      });
    });
  }
});
