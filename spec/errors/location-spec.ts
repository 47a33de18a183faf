import { expect } from 'chai';
import { formatLocation, locationOfSpan } from '../../src/errors/index.js';

describe('formatLocation', () => {
  it('joins what is known, and any part may be missing (F103)', () => {
    expect(formatLocation({ file: 'model.rs', line: 42, column: 7 })).to.equal('model.rs:42:7');
    expect(formatLocation({ file: 'model.rs', line: 42 })).to.equal('model.rs:42');
    expect(formatLocation({ file: 'model.rs', column: 7 })).to.equal('model.rs, column 7');
    expect(formatLocation({ file: 'model.rs' })).to.equal('model.rs');
    expect(formatLocation({ line: 42, column: 7 })).to.equal('line 42, column 7');
    expect(formatLocation({ column: 7 })).to.equal('column 7');
    expect(formatLocation({})).to.equal('an unknown place');
  });

  it('keeps a file name on its line (G15)', () => {
    expect(formatLocation({ file: 'a\n[ERROR] forged', line: 1 })).to.equal('a\\u000a[ERROR] forged:1');
  });
});

describe('locationOfSpan', () => {
  it('reads the start of a span of graph metadata (F103)', () => {
    const span = { start: { file: 'rules.tl', line: 3, column: 5 }, end: { file: 'rules.tl', line: 3, column: 9 } };
    expect(locationOfSpan(span)).to.deep.equal({ file: 'rules.tl', line: 3, column: 5 });
  });

  it('reads a flat location, and leaves out parts of other types', () => {
    expect(locationOfSpan({ file: 'rules.tl', line: '3', column: NaN })).to.deep.equal({ file: 'rules.tl' });
  });

  it('is undefined where nothing is usable', () => {
    for (const span of [undefined, null, 'rules.tl:3', 7, [], {}, { start: null }, { start: { line: -1 } }]) {
      expect(locationOfSpan(span)).to.equal(undefined);
    }
  });
});
