/** @file Jacobians: all slopes of all elements, by the way back row by row. */
import { expect } from 'chai';
import { firstValueFrom, lastValueFrom, NEVER, of, throwError, toArray } from 'rxjs';
import {
  EinstreamError,
  einsum,
  evaluateSync,
  exp,
  graph,
  greater,
  input,
  jacobian,
  js,
  matmul,
  mul,
  param,
  relu,
  sin,
  sum,
  tanh,
  tensor,
  wasm,
  type Backend,
  type Outputs,
} from '../../src/index.js';
import { byHand } from '../support/byHandBackend.js';

const g = graph({ x: input(['n', 2]), w: param(tensor([[1, 2, 3], [4, 5, 6]])) }, ({ x, w }) => ({ y: matmul(tanh(x), w) })); // prettier-ignore

const listed = (outputs: Outputs): Record<string, unknown> =>
  Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, value.toArray()]));

describe('jacobian', () => {
  it('has the shape of the output, then of the variable, and the slopes of a linear map are its matrix', async () => {
    const linear = graph({ x: input([2]), w: param(tensor([[1, 2, 3], [4, 5, 6]])) }, ({ x, w }) => ({ y: matmul(x, w) })); // prettier-ignore
    const found = await firstValueFrom(of({ x: [1, 10] }).pipe(jacobian(linear, { of: 'y', wrt: ['x', 'w'] })));
    expect(Object.keys(found)).to.deep.equal(['x', 'w']);
    expect(found['x'].toArray()).to.deep.equal([[1, 4], [2, 5], [3, 6]]); // prettier-ignore
    expect(found['w'].shape).to.deep.equal([3, 2, 3]);
    expect(found['w'].toArray()).to.deep.equal([0, 1, 2].map((k) => [1, 10].map((x) => [0, 1, 2].map((j) => (j === k ? x : 0))))); // prettier-ignore
  });

  it('follows each feed, whatever its size, one output for each', async () => {
    const feeds = [{ x: [[0, 0]] }, { x: [[0, 0], [0, 0]] }, { x: [] as number[][] }]; // prettier-ignore
    const found = await lastValueFrom(of(...feeds.slice(0, 2)).pipe(jacobian(g, { of: 'y', wrt: ['x'] }), toArray()));
    expect(found.map(({ x }) => x.shape)).to.deep.equal([[1, 3, 1, 2], [2, 3, 2, 2]]); // prettier-ignore
    expect(found[0]['x'].toArray()).to.deep.equal([[[[1, 4]], [[2, 5]], [[3, 6]]]]);
  });

  it('is the same on wasm, and on a backend that answers later', async () => {
    const what = { of: 'y', wrt: ['x', 'w'] } as const;
    const feed = { x: [[0.5, -1]] };
    const want = listed(await firstValueFrom(of(feed).pipe(jacobian(g, { ...what, backend: js() }))));
    const { backend, finish } = byHand();
    const later = firstValueFrom(of(feed).pipe(jacobian(g, { ...what, backend })));
    await finish();
    expect(listed(await later)).to.deep.equal(want);
    const onWasm = await firstValueFrom(of(feed).pipe(jacobian(g, { ...what, backend: await wasm() })));
    (onWasm['x'].data as Float32Array).forEach((slope, i) => {
      expect(slope).to.be.closeTo(Number([want['x']].flat(9)[i]), 1e-6);
    });
  });

  it('gives zeros where nothing depends, and numbers by values on the way', async () => {
    const h = graph({ x: input([2]), z: input([2]) }, ({ x }) => ({ y: sin(exp(x)) }));
    const found = await firstValueFrom(of({ x: [0, 0], z: [1, 1] }).pipe(jacobian(h, { of: 'y', wrt: ['z', 'exp_2'] })));
    expect(found['z'].toArray()).to.deep.equal([[0, 0], [0, 0]]); // prettier-ignore
    const slope = Math.fround(Math.cos(1));
    expect(found['exp_2'].toArray()).to.deep.equal([[slope, 0], [0, slope]]); // prettier-ignore
  });

  it('computes the forward pass once for all rows', async () => {
    let kernels = 0;
    const inner = js({ kernels: 'interpret' });
    const backend: Backend = {
      ...inner,
      compile: (ir) => {
        const kernel = inner.compile(ir);
        return { ...kernel, run: (inputs, outputs) => (kernels++, kernel.run(inputs, outputs)) };
      },
    };
    const h = graph({ x: input([5]) }, ({ x }) => ({ y: relu(exp(sin(x))) }));
    const runs = async (g5: typeof h) => {
      kernels = 0;
      await firstValueFrom(of({ x: [1, 2, 3, 4, 5] }).pipe(jacobian(g5, { of: 'y', wrt: ['x'], backend, level: 'none' })));
      return kernels;
    };
    const all = await runs(h);
    const back = (all - 3) / 5;
    expect(Number.isInteger(back), `${all} kernels`).to.equal(true);
  });

  it('passes on errors and ends of the source, and asks nothing of one that never speaks', () => {
    const heard: unknown[] = [];
    const own = new Error('own');
    throwError(() => own).pipe(jacobian(g, { of: 'y', wrt: ['x'] })).subscribe({ error: (error: unknown) => heard.push(error) }); // prettier-ignore
    NEVER.pipe(jacobian(g, { of: 'y', wrt: ['x'] })).subscribe(() => heard.push('never')).unsubscribe(); // prettier-ignore
    of({ x: [1, 2] }).pipe(jacobian(g, { of: 'y', wrt: ['x'] })).subscribe({ error: (error: unknown) => heard.push((error as EinstreamError).code) }); // prettier-ignore
    expect(heard).to.deep.equal([own, 'E_FEED']);
  });

  it('refuses names that no value has, integers, unknown options and broken graphs at the call', () => {
    const h = graph({ x: input([2]), k: input([2], { dtype: 'int32' }) }, ({ x, k }) => ({ y: mul(x, k), big: greater(x, 0) }));
    const refused = (options: object, text: RegExp): void =>
      void expect(() => jacobian(h, options as never)).to.throw(EinstreamError, text);
    refused({ of: 'nothing', wrt: ['x'] }, /must name a value of the graph/);
    refused({ of: 'y', wrt: ['k'] }, /must be floating-point/);
    refused({ of: 'big', wrt: ['x'] }, /must be floating-point/);
    refused({ of: 'y', wrt: ['x'], rows: 3 }, /"rows" is unknown/);
    expect(() => jacobian(graph({ x: input([1]) }, () => ({})) as never, { of: 'y', wrt: ['x'] })).to.throw(EinstreamError);
  });

  it('is the gradient where there is one row', async () => {
    const h = graph({ x: input([3]) }, ({ x }) => ({ y: sum(einsum('i,i->i', x, x)) }));
    const [row] = [await firstValueFrom(of({ x: [1, 2, 3] }).pipe(jacobian(h, { of: 'y', wrt: ['x'] })))];
    expect(row['x'].toArray()).to.deep.equal([2, 4, 6]);
    expect(evaluateSync(h, { x: [1, 2, 3] }).y.toArray()).to.equal(14);
  });
});
