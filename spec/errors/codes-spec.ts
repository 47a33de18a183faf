import { expect } from 'chai';
import {
  EinstreamError,
  ERROR_CODES,
  errorCodeOf,
  fault,
  formatDiagnostic,
  formatErrorLine,
  printedCode,
  WARNING_CODES,
  type ErrorCode,
} from '../../src/errors/index.js';
import { FAULTS } from './faults.js';

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

describe('the error codes', () => {
  it('print as the number of the seed where it has one, else as their name', () => {
    expect(codes.filter((code) => printedCode(code) !== code).map((code) => [code, printedCode(code)])).to.deep.equal([
      ['E_SHAPE', 'E001'],
      ['E_DTYPE', 'E002'],
      ['E_OOM', 'E004'],
      ['E_KERNEL', 'E003'],
    ]);
  });

  it('are found again from what is printed, and from their name', () => {
    for (const code of codes) {
      expect(errorCodeOf(printedCode(code))).to.equal(code);
      expect(errorCodeOf(code)).to.equal(code);
    }
  });

  it('are not found for a warning, an unknown text or a name of Object.prototype (G3)', () => {
    for (const text of [...Object.keys(WARNING_CODES), '', 'E999', '__proto__', 'constructor', 'toString']) {
      expect(errorCodeOf(text), text).to.equal(undefined);
    }
  });
});

describe('an error of every code (B05)', () => {
  it('has a row below', () => expect(FAULTS.map(({ code }) => code).sort()).to.deep.equal([...codes].sort()));

  for (const { code, given, line } of FAULTS) {
    it(`${code} names place, rule, both values and a way out`, () => {
      const error = fault(code, given);
      expect(error).to.be.instanceOf(EinstreamError);
      expect(error.code).to.equal(code);
      expect(formatErrorLine(error)).to.equal(`${code} ${line}`);
      expect(error.message).to.equal(line);
      const printed = formatDiagnostic(error.diagnostic);
      expect(printed.split('\n').slice(0, 2)).to.deep.equal([`[ERROR] ${line}`, `  code: ${printedCode(code)}`]);
      for (const part of [given.place!, given.rule, given.expected!, given.actual!, given.hint as string]) {
        expect(part, 'a part of the row').to.be.a('string').with.length.greaterThan(0);
        expect(printed).to.contain(part);
      }
    });
  }
});
