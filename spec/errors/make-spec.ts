import { expect } from 'chai';
import { compareSeverity, diagnostic, EinstreamError, isFatal, SEVERITIES, type Severity } from '../../src/errors/index.js';

describe('diagnostic', () => {
  it('is an error without code, context or ways out unless it is told more (F102)', () => {
    expect(diagnostic({ message: 'm' })).to.deep.equal({
      severity: 'error',
      code: '',
      message: 'm',
      context: [],
      suggestions: [],
      related: [],
    });
  });

  it('takes one text for a list of one', () => {
    expect(diagnostic.error('m', { context: 'c', suggestions: 's' })).to.deep.include({ context: ['c'], suggestions: ['s'] });
  });

  it('has a maker for each severity (F103)', () => {
    for (const severity of SEVERITIES) {
      expect(diagnostic[severity]('m', { code: 'W002' })).to.deep.equal(diagnostic({ severity, message: 'm', code: 'W002' }));
    }
  });

  it('does not follow later changes of the lists it was given', () => {
    const context = ['a'];
    const made = diagnostic.info('m', { context });
    context.push('b');
    expect(made.context).to.deep.equal(['a']);
  });

  it('refuses a fifth severity', () => {
    expect(() => diagnostic({ severity: 'fatal' as Severity, message: 'm' }))
      .to.throw(EinstreamError, 'got "fatal"')
      .with.property('code', 'E_ARGUMENT');
  });
});

describe('severities', () => {
  it('are ordered Info < Warning < Error < Critical (F103)', () => {
    expect((['critical', 'info', 'error', 'warning'] as Severity[]).sort(compareSeverity)).to.deep.equal([
      'info',
      'warning',
      'error',
      'critical',
    ]);
    expect(compareSeverity('error', 'error')).to.equal(0);
  });

  it('are fatal from error on', () => {
    expect(SEVERITIES.map(isFatal)).to.deep.equal([false, false, true, true]);
  });
});
