import { expect } from 'chai';
import {
  arange,
  at,
  ellipsis,
  newaxis,
  range,
  reshapeView,
  reversed,
  sliceView,
  stride,
  tensor,
  zeros,
  type SliceSpec,
} from '../../../src/tensor/index.js';
import { expectRefusal } from '../refusals.js';

const five = arange(5);
const grid = reshapeView(arange(12), [3, 4]);
const of = (spec: unknown, t = five) => sliceView(t, spec as SliceSpec);

describe('slice', () => {
  it('keeps the axes that are not named, at the end or where the ellipsis stands', () => {
    expect(sliceView(grid).shape).to.deep.equal([3, 4]);
    expect(sliceView(grid, at(1)).toArray()).to.deep.equal([4, 5, 6, 7]);
    expect(sliceView(grid, ellipsis, at(1)).toArray()).to.deep.equal([1, 5, 9]);
    expect(sliceView(grid, newaxis, ellipsis, newaxis).shape).to.deep.equal([1, 3, 4, 1]);
    expect(sliceView(grid, at(0), at(0), ellipsis).shape).to.deep.equal([]);
  });

  it('refuses an index outside the axis, never reading past it (G12)', () => {
    for (const index of [5, -6, 2 ** 31, 2 ** 53, -(2 ** 53), 1.5, NaN, Infinity, '1', null, undefined, 1n]) {
      expectRefusal(
        () => of(at(index as number)),
        'E_SHAPE',
        /^"slice": index .* must lie in axis 0; expected an integer from -5 to 4/,
      );
    }
    expectRefusal(() => sliceView(grid, null, at(4)), 'E_SHAPE', /index 4 must lie in axis 1/);
    expectRefusal(() => of(at(0), zeros([0])), 'E_SHAPE', /none, because axis 0 has size 0/);
  });

  it('clamps the ends of a range, also huge ones (G12)', () => {
    for (const end of [5, 6, 2 ** 31, 2 ** 53, 1e300]) expect(of(range(2, end)).toArray()).to.deep.equal([2, 3, 4]);
    for (const start of [-5, -6, -(2 ** 31), -1e300]) expect(of(range(start, 2)).toArray()).to.deep.equal([0, 1]);
    expect(of(range(1e300, -1e300, -1)).toArray()).to.deep.equal([4, 3, 2, 1, 0]);
  });

  it('takes one element for a step that leaves the axis, and keeps strides small (G12)', () => {
    for (const step of [5, 2 ** 31, 2 ** 53, 1e300]) {
      const [up, down] = [of(range(1, null, step)), of(range(3, null, -step))];
      expect([up.toArray(), down.toArray()]).to.deep.equal([[1], [3]]);
      expect([up.strides, down.strides]).to.deep.equal([[1], [1]]);
    }
  });

  it('refuses ends and steps that are no integers, and a step of 0 (G11, G12)', () => {
    for (const end of [1.5, NaN, Infinity, '1', undefined]) {
      expectRefusal(() => of(range(end as number, null)), 'E_SHAPE', /ends of the range for axis 0 must be integers or null/);
      expectRefusal(() => of(range(null, end as number)), 'E_SHAPE');
    }
    for (const step of [0, -0, 1.5, NaN, Infinity, '1', null])
      expectRefusal(() => of(range(0, 5, step as number)), 'E_SHAPE', /step for axis 0 must be an integer other than 0/);
  });

  it('refuses what is no spec, and says what to write', () => {
    expectRefusal(() => of(1), 'E_ARGUMENT', /spec 0 must be null, at\(…\), range\(…\), .* got 1 \(write at\(1\)\)/);
    for (const spec of [undefined, 'all', {}, { kind: 'other' }, [0, 1], true, () => 1])
      expectRefusal(() => of(spec), 'E_ARGUMENT');
  });

  it('takes plain records, as a saved graph holds them', () => {
    const specs = JSON.parse(JSON.stringify([at(1), range(0, null, 2), newaxis])) as SliceSpec[];
    expect(sliceView(grid, ...specs).toArray()).to.deep.equal([[4], [6]]);
    expectRefusal(() => of({ kind: 'range', start: 0 }), 'E_SHAPE');
    expectRefusal(() => of({ kind: 'at' }), 'E_SHAPE');
  });

  it('reads a record once (G13)', () => {
    let reads = 0;
    const sly = { kind: 'at', get index() { return reads++ === 0 ? 2 : 99; } }; // prettier-ignore
    expect(of(sly).toArray()).to.equal(2);
  });

  it('works on axes of size 0 and on scalars (N9)', () => {
    expect(sliceView(zeros([2, 0, 3]), at(1), range(0, 5), at(2)).shape).to.deep.equal([0]);
    expect(sliceView(zeros([0]), reversed).shape).to.deep.equal([0]);
    expect(sliceView(tensor(7), ellipsis, newaxis).toArray()).to.deep.equal([7]);
    expectRefusal(
      () => sliceView(tensor(7), at(0)),
      'E_SHAPE',
      /no more specs than axes; expected at most 0 for rank 0, shape \[\], got 1 specs/,
    );
  });

  it('has specs that cannot be changed', () => {
    for (const spec of [at(1), range(0, 1), stride(2), reversed, newaxis, ellipsis]) expect(Object.isFrozen(spec)).to.equal(true);
  });
});
