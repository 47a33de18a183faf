import { expect } from 'chai';
import { propertyRuns, propertySeed } from './support/property.js';

describe('property tests', () => {
  const before = process.env['EINSTREAM_SIZE'];
  afterEach(() => {
    if (before === undefined) delete process.env['EINSTREAM_SIZE'];
    else process.env['EINSTREAM_SIZE'] = before;
  });

  it('share one seed in a process', () => {
    expect(propertySeed()).to.equal(propertySeed());
    expect(Number.isInteger(propertySeed())).to.equal(true);
  });

  it('run as often as EINSTREAM_SIZE says', () => {
    delete process.env['EINSTREAM_SIZE'];
    expect(propertyRuns(1, 2, 3)).to.equal(1);
    process.env['EINSTREAM_SIZE'] = 'ci';
    expect(propertyRuns(1, 2, 3)).to.equal(2);
    process.env['EINSTREAM_SIZE'] = 'soak';
    expect(propertyRuns(1, 2, 3)).to.equal(3);
  });

  it('refuse a size that nobody defined', () => {
    process.env['EINSTREAM_SIZE'] = 'huge';
    expect(() => propertyRuns(1, 2, 3)).to.throw('EINSTREAM_SIZE is "huge"');
  });
});
