import { expect } from 'chai';
import { normalizeAxes, normalizeAxis } from '../../src/tensor/axis.js';
import { expectRefusal } from './refusals.js';

describe('normalizeAxis', () => {
  it('counts negative axes from the end', () => {
    expect([-3, -2, -1, 0, 1, 2].map((axis) => normalizeAxis(axis, 3, 'sum'))).to.deep.equal([0, 1, 2, 0, 1, 2]);
    expect(Object.is(normalizeAxis(-0, 3, 'sum'), 0)).to.equal(true);
  });

  it('refuses an axis that does not exist, naming it and the rank (G11)', () => {
    expectRefusal(
      () => normalizeAxis(3, 3, 'sum'),
      'E_SHAPE',
      /^"sum": axis 3 must exist; expected an integer from -3 to 2, got axis 3 of a tensor of rank 3/,
    );
    expectRefusal(() => normalizeAxis(0, 0, 'sum'), 'E_SHAPE', /a scalar has rank 0/);
    for (const axis of [-4, 1.5, NaN, Infinity]) expectRefusal(() => normalizeAxis(axis, 3, 'sum'), 'E_SHAPE');
    for (const axis of ['1', null, undefined, [1]])
      expectRefusal(() => normalizeAxis(axis as unknown as number, 3, 'sum'), 'E_SHAPE');
  });
});

describe('normalizeAxes', () => {
  it('takes one axis or a list, and keeps the order', () => {
    expect(normalizeAxes(-1, 3, 'sum')).to.deep.equal([2]);
    expect(normalizeAxes([-1, 0], 3, 'sum')).to.deep.equal([2, 0]);
    expect(normalizeAxes([], 3, 'sum')).to.deep.equal([]);
  });

  it('refuses an axis named twice, under whichever sign', () => {
    expectRefusal(() => normalizeAxes([2, -1], 3, 'sum'), 'E_SHAPE', /axis 2 must be named once; got axes \[2, -1\]/);
  });
});
