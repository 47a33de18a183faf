/** @file Gradients on a stream, from the values that steps emit. */
import { expect } from 'chai';
import { from, lastValueFrom, map, of, toArray } from 'rxjs';
import {
  add,
  assign,
  backpropagate,
  EinstreamError,
  exp,
  gradient,
  evaluateSync,
  graph,
  input,
  isOpNode,
  matmul,
  mul,
  named,
  nodeOf,
  param,
  relu,
  run,
  sigmoid,
  sum,
  taping,
  tensor,
  type Middleware,
} from '../../src/index.js';
import { counting } from '../support/countingBackend.js';

const model = graph(
  { x: input(['n', 2]), w: param(tensor([[1, -2], [0.5, 3]])), b: param(tensor([0.25, -0.5])) }, // prettier-ignore
  ({ x, w, b }) => ({ y: sum(sigmoid(relu(named('h', add(matmul(x, w), b))))) }),
);
const feeds = [{ x: [[1, 2]] }, { x: [[-1, 0.5], [2, 2]] }]; // prettier-ignore

describe('taping and backpropagate (F008, F010)', () => {
  it('give the gradients of the graph for each feed, fused or not', async () => {
    const want = feeds.map((each) => evaluateSync(gradient(model, { of: 'y', wrt: ['x', 'w', 'b'] }), each));
    for (const level of ['none', 'standard'] as const) {
      const got = await lastValueFrom(
        from(feeds).pipe(run(model, { use: [taping()], level }), backpropagate({ of: 'y' }), toArray()),
      );
      for (const [at, gradients] of got.entries())
        for (const name of ['x', 'w', 'b'])
          expect(gradients[name].toArray(), `${level} ${name}`).to.deep.equal(want[at][name].toArray());
    }
  });

  it('take what other middleware gave a node as if the node had computed it', async () => {
    const replaced: Middleware = (step, node) =>
      node.name === 'h' ? map((frame) => assign(frame, node.id, tensor([[4, -4]]))) : step;
    const [{ b }] = await lastValueFrom(
      of(feeds[0]).pipe(
        run(model, { use: [taping(), replaced], level: 'none' }),
        backpropagate({ of: 'y', wrt: ['b'] }),
        toArray(),
      ),
    );
    const slope = 1 / (1 + Math.exp(-4));
    expect((b.toArray() as number[])[0]).to.be.closeTo(slope * (1 - slope), 1e-6);
    expect((b.toArray() as number[])[1]).to.equal(0);
  });

  it('run no forward kernel again on the way back', async () => {
    const { backend, compiled } = counting();
    const outputs = await lastValueFrom(of(feeds[0]).pipe(run(model, { use: [taping()], backend })));
    const forward = compiled.length;
    await lastValueFrom(of(outputs).pipe(backpropagate({ of: 'y', backend })));
    // The forward kernels alone hold an exponential: the way back reads what came of it.
    const exponentials = compiled.map((ir) => JSON.stringify(ir).includes('"exp"'));
    expect(exponentials.slice(0, forward)).to.include(true);
    expect(exponentials.slice(forward)).to.not.include(true).and.not.empty; // prettier-ignore
  });

  it('refuse outputs that nothing recorded, and a target that needs a seed', async () => {
    const plain = lastValueFrom(of(feeds[0]).pipe(run(model), backpropagate({ of: 'y' })));
    expect(await plain.catch((error: unknown) => (error as EinstreamError).code)).to.equal('E_GRADIENT');
    const vector = graph({ x: input([2]) }, ({ x }) => ({ y: exp(x) }));
    const unseeded = lastValueFrom(of({ x: [1, 2] }).pipe(run(vector, { use: [taping()] }), backpropagate({ of: 'y' })));
    expect(await unseeded.catch((error: unknown) => (error as EinstreamError).code)).to.equal('E_GRADIENT');
  });

  it('keep a value that a rule reads out of fused groups, and nothing else', async () => {
    const chain = graph({ x: input([2]) }, ({ x }) => ({ y: sum(mul(exp(x), 2)) }));
    const seen: string[] = [];
    const watch: Middleware = (step, node) => (seen.push(node.op), step);
    await lastValueFrom(of({ x: [1, 2] }).pipe(run(chain, { use: [taping(), watch] }), backpropagate({ of: 'y' })));
    expect(seen).to.deep.equal(['exp', 'fusedFold']);
    expect(isOpNode(nodeOf(chain, chain.outputs[0].id))).to.equal(true);
  });
});
