import { expect } from 'chai';
import { MAX_RANK, tensor, type NestedArray } from '../../src/tensor/index.js';
import { flatten } from '../../src/tensor/nested.js';
import { expectRefusal } from './refusals.js';

const made = (data: unknown) => tensor(data as NestedArray);
const nestedTo = (depth: number): unknown => {
  let nested: unknown = 1;
  for (let i = 0; i < depth; i++) nested = [nested];
  return nested;
};

describe('nested arrays', () => {
  const ragged: readonly (readonly [unknown, RegExp])[] = [
    [[[1, 2], [3]], /the item at \[1\] breaks the shape; expected an array of length 2, got an array of length 1/],
    [[[1, 2], 3], /the item at \[1\] .* expected an array of length 2, got 3/],
    [[1, [2]], /the item at \[1\] .* expected a number, got an array/],
    [[[], [1]], /the item at \[1\] .* length 0, got an array of length 1/],
    [[[], 1], /the item at \[1\] .* length 0, got 1/],
    [[[[1]], [[[2]]]], /the item at \[1\]\[0\]\[0\] .* a number, got an array/],
    [
      [
        [[1], [2]],
        [[3], [4, 5]],
      ],
      /the item at \[1\]\[1\]/,
    ],
  ];
  for (const [data, message] of ragged) {
    it(`must be regular: ${JSON.stringify(data)} is refused, with the place`, () =>
      expectRefusal(() => made(data), 'E_SHAPE', message));
  }

  it('hold numbers, booleans and bigints alone', () => {
    for (const item of ['1', null, undefined, {}, () => 1, Symbol('x'), new Date(0), new Map()]) {
      expectRefusal(() => made([[0, item]]), 'E_DTYPE', /the item at \[0\]\[1\] must be a number, a boolean or a bigint/);
      expectRefusal(() => made(item), 'E_DTYPE', /the value must be/);
    }
    expectRefusal(() => made(new Array(3)), 'E_DTYPE', /\[0\] .* got undefined/);
    expectRefusal(() => made([new Float32Array(2)]), 'E_DTYPE', /pass one typed array with \{ shape \}/);
    expectRefusal(() => made(new Array(2 ** 32 - 1)), 'E_DTYPE');
  });

  it('have at most 64 levels, also when an array contains itself (G13)', () => {
    expect(made(nestedTo(MAX_RANK)).shape).to.deep.equal(new Array(64).fill(1));
    expectRefusal(() => made(nestedTo(MAX_RANK + 1)), 'E_LIMIT', /64 levels/);
    expectRefusal(() => made(nestedTo(1_000_000)), 'E_LIMIT');
    const loop: unknown[] = [];
    loop.push(loop, loop);
    expectRefusal(() => made(loop), 'E_LIMIT', /may contain itself/);
  });

  it('are read once: every length and every item (G13)', () => {
    const reads = new Map<PropertyKey, number>();
    const watched = <T extends object>(target: T, name: string): T =>
      new Proxy(target, {
        get(of, key) {
          const id = `${name}.${String(key)}`;
          reads.set(id, (reads.get(id) ?? 0) + 1);
          return Reflect.get(of, key) as unknown;
        },
      });
    const { elements, shape } = flatten(watched([watched([1, 2], 'a'), watched([3, 4], 'b')], 'x'), 'tensor');
    expect({ elements, shape }).to.deep.equal({ elements: [1, 2, 3, 4], shape: [2, 2] });
    expect([...reads].filter(([, count]) => count !== 1)).to.deep.equal([]);
    expect(reads.size).to.equal(9);
  });

  it('that throw while they are read are refused with the cause', () => {
    const { proxy, revoke } = Proxy.revocable([1], {});
    revoke();
    expectRefusal(() => made([proxy]), 'E_ARGUMENT', /the item at \[0\] must be readable/);
    const trap = Object.defineProperty([1], 0, { get: () => { throw new RangeError('trap'); } }); // prettier-ignore
    expectRefusal(() => made(trap), 'E_ARGUMENT');
  });
});
