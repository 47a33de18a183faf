/** @file A borrowed tensor whose frame has ended is refused wherever the engine would read it. */
import { expect } from 'chai';
import { of } from 'rxjs';
import {
  EinstreamError,
  add,
  constant,
  evaluate,
  evaluateSync,
  graph,
  input,
  neg,
  param,
  run,
  sum,
  type Graph,
  type Tensor,
} from '../../src/index.js';

function borrowed(size: number): Tensor {
  const kept: Tensor[] = [];
  const negated = graph({ x: input([size]) }, ({ x }) => ({ y: neg(x) }));
  of({ x: new Float32Array(size).fill(1) })
    .pipe(run(negated, { outputs: 'borrow' }))
    .subscribe(({ y }) => kept.push(y));
  return kept[0];
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return error instanceof EinstreamError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

describe('a borrowed tensor whose frame has ended', () => {
  for (const size of [4, 4096]) {
    const feeds = { x: new Float32Array(size).fill(1) };

    it(`is refused by eager ops, evaluated or on kernels (${size} elements)`, () => {
      const stale = borrowed(size);
      expect(codeOf(() => add(stale, 1))).to.equal('E_STALE');
      expect(codeOf(() => sum(stale))).to.equal('E_STALE');
    });

    it(`is refused as a feed, a param and a constant, also where the graph ran before (${size} elements)`, async () => {
      const stale = borrowed(size);
      const fed = graph({ x: input([size]) }, ({ x }) => ({ y: neg(x) }));
      const made: readonly Graph[] = [
        graph({ x: input([size]), c: param(stale) }, ({ x, c }) => ({ y: add(x, c) })),
        graph({ x: input([size]), c: constant(stale) }, ({ x, c }) => ({ y: add(x, c) })),
        graph({ x: input([size]) }, ({ x }) => ({ y: add(x, stale) })),
      ];
      expect(codeOf(() => evaluateSync(fed, { x: stale }))).to.equal('E_STALE');
      for (const each of made) {
        expect(codeOf(() => evaluateSync(each, feeds))).to.equal('E_STALE');
        const error = await evaluate(each, feeds).then(() => undefined, (thrown: unknown) => thrown); // prettier-ignore
        expect(error).to.be.instanceOf(EinstreamError).with.property('code', 'E_STALE');
      }
    });
  }

  it('may be a constant while it lives, and not afterwards', () => {
    const codes: string[] = [];
    let made: Graph | undefined;
    const negated = graph({ x: input([2]) }, ({ x }) => ({ y: neg(x) }));
    of({ x: [1, 2] })
      .pipe(run(negated, { outputs: 'borrow' }))
      .subscribe(({ y }) => {
        made = graph({ x: input([2]) }, ({ x }) => ({ z: add(x, y) }));
        codes.push(codeOf(() => evaluateSync(made!, { x: [1, 1] })));
      });
    codes.push(codeOf(() => evaluateSync(made!, { x: [1, 1] })));
    expect(codes).to.deep.equal(['nothing was thrown', 'E_STALE']);
  });
});
