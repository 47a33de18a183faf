import { expect } from 'chai';
import fc from 'fast-check';
import { collector, diagnostic, formatDiagnostic, SEVERITIES } from '../../src/errors/index.js';
import { propertyRuns, propertySeed } from '../support/property.js';

describe('collector', () => {
  it('starts empty, and says so (F107)', () => {
    const found = collector();
    expect(found).to.include({ length: 0, hasErrors: false, errorCount: 0, warningCount: 0 });
    expect(found.formatAll()).to.equal('Summary: 0 error(s), 0 warning(s)');
  });

  it('counts critical as an error, in the count and in the summary (F107)', () => {
    const found = collector([diagnostic.critical('c')]);
    expect(found).to.include({ hasErrors: true, errorCount: 1, warningCount: 0 });
    expect(found.formatAll()).to.equal('[CRITICAL] c\n\nSummary: 1 error(s), 0 warning(s)');
  });

  it('is no error collector while it holds information and warnings alone', () => {
    expect(collector([diagnostic.info('i'), diagnostic.warning('w')])).to.include({
      hasErrors: false,
      errorCount: 0,
      warningCount: 1,
      length: 2,
    });
  });

  it('prints the gravest first, and equals in the order of arrival (F107)', () => {
    const found = collector();
    found.add(diagnostic.warning('1'), diagnostic.error('2'));
    found.add(diagnostic.info('3'), diagnostic.error('4'), diagnostic.critical('5'), diagnostic.warning('6'));
    expect([...found.formatAll().matchAll(/\] (\d)/g)].map(([, name]) => name).join('')).to.equal('524163');
    expect([...found].map(({ message }) => message).join('')).to.equal('123456');
  });

  it('forgets all when cleared', () => {
    const found = collector([diagnostic.error('e')]);
    found.clear();
    expect(found).to.include({ length: 0, hasErrors: false });
    expect(found.at(0)).to.equal(undefined);
  });

  it('shares nothing with another collector, nor with the list it began with', () => {
    const list = [diagnostic.error('e')];
    const [one, two] = [collector(list), collector(list)];
    one.add(diagnostic.error('f'));
    expect([one.length, two.length, list.length]).to.deep.equal([2, 1, 1]);
  });

  it('prints every diagnostic whole, and counts as it prints (F107)', () => {
    const any = fc.record({ severity: fc.constantFrom(...SEVERITIES), message: fc.string() }).map((given) => diagnostic(given));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (all) => {
        const printed = collector(all).formatAll();
        const errors = all.filter(({ severity }) => severity === 'error' || severity === 'critical').length;
        const warnings = all.filter(({ severity }) => severity === 'warning').length;
        return (
          all.every((item) => printed.includes(formatDiagnostic(item))) &&
          printed.endsWith(`Summary: ${errors} error(s), ${warnings} warning(s)`)
        );
      }),
      { seed: propertySeed(), numRuns: propertyRuns(200, 1_000, 10_000) },
    );
  });
});
