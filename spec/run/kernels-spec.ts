/** @file What a backend cannot run or hold: refused, or run by js, and said. */
import { expect } from 'chai';
import { of } from 'rxjs';
import { supports, type Backend } from '../../src/backends/index.js';
import { EinstreamError, type Diagnostic } from '../../src/errors/index.js';
import { graph, input } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add, mul } from '../../src/ops/binary/index.js';
import { reshape } from '../../src/ops/movement/index.js';
import { ops } from '../../src/ops/registry.js';
import { exp } from '../../src/ops/unary/index.js';
import { evaluate, evaluateSync, live, type RunOptions } from '../../src/run/index.js';
import { ones, tensor } from '../../src/tensor/index.js';
import { claiming } from '../support/claiming.js';
import { thrownBy } from '../support/thrownBy.js';
import { watch } from '../support/watch.js';

const doubled = (dtype: 'float32' | 'float64'): Graph => graph({ x: input([2], { dtype }) }, ({ x }) => ({ y: mul(exp(x), 2) }));

describe('what a backend cannot run', () => {
  const narrow = (): Backend => claiming({ excludes: [{ op: 'exp' }] });
  const uncompiling = (): Backend => ({
    ...claiming({}, 'unfinished'),
    compile() {
      throw new Error('not written yet');
    },
  });

  it('falls back to js, and says so once for each node and subscription', () => {
    for (const backend of [narrow(), uncompiling()]) {
      for (const level of ['none', 'standard'] as const) {
        const told: Diagnostic[] = [];
        const options: RunOptions = { backend, level, onDiagnostic: (diagnostic) => void told.push(diagnostic) };
        for (let at = 0; at < 2; at++) {
          expect(evaluateSync(doubled('float32'), { x: [0, 0] }, options)['y'].toArray()).to.deep.equal([2, 2]);
        }
        const perRun = backend.name === 'narrow' || level === 'standard' ? 1 : 2;
        expect(told.map(({ code, severity }) => `${code} ${severity}`)).to.deep.equal(
          Array(2 * perRun).fill('W_FALLBACK warning'),
        );
        expect(told[0].message).to.match(new RegExp(`backend ${backend.name} cannot run this node: js does`));
      }
    }
  });

  it('falls back in live as well', async () => {
    const told: Diagnostic[] = [];
    const seen = watch(
      live(
        doubled('float32'),
        { x: of([0, 0]) },
        { backend: narrow(), onDiagnostic: (diagnostic) => void told.push(diagnostic) },
      ),
    );
    await Promise.resolve();
    expect(seen.values).to.have.length(1);
    expect(told.map(({ code }) => code)).to.deep.equal(['W_FALLBACK']);
  });

  it("is an error that names node, reason and alternative with fallback: 'never'", () => {
    const error = thrownBy(() =>
      evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: narrow(), fallback: 'never', level: 'none' }),
    );
    expect(error.code).to.equal('E_OP');
    expect(error.nodeId).to.equal(1);
    expect(error.message).to.match(/exp_1.*backend narrow must have the op.*use backend js/);
    const fused = thrownBy(() => evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: narrow(), fallback: 'never' }));
    expect(fused.code).to.equal('E_OP');
    const cause = thrownBy(() => evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: uncompiling(), fallback: 'never' }));
    expect(cause.code).to.equal('E_CODEGEN');
    expect((cause.cause as Error).message).to.equal('not written yet');
  });

  it('is refused before any kernel runs when it is a dtype that the backend cannot hold', () => {
    const error = thrownBy(() =>
      evaluateSync(
        doubled('float64'),
        { x: tensor([1, 2], { dtype: 'float64' }) },
        { backend: claiming({ dtypes: ['float32'] }) },
      ),
    );
    expect(error.code).to.equal('E_DTYPE');
    expect(error.message).to.match(/x.*backend narrow must know the dtype/);
  });

  it('of an asynchronous backend is an error: no other backend reads its memory', async () => {
    const backend = claiming({ asynchronous: true, excludes: [{ op: 'exp' }] });
    const error: unknown = await evaluate(doubled('float32'), { x: [0, 0] }, { backend }).catch((thrown: unknown) => thrown);
    expect((error as EinstreamError).code).to.equal('E_OP');
  });
});

describe('the limits of a backend (F087)', () => {
  const bytes = 32;
  const limited = claiming({ maxDims: 3, maxTensorBytes: bytes });
  const flat = graph({ x: input(['n']) }, ({ x }) => ({ y: exp(x) })) as Graph;
  const grown = graph({ x: input(['n', 1]), w: input([1, 'm']) }, ({ x, w }) => ({ y: add(x, w) })) as Graph;
  const unflat = (rank: number) =>
    graph({ x: input([1]) }, ({ x }) => ({ y: reshape(x, { shape: Array<number>(rank).fill(1) }) })) as Graph;

  it('holds a tensor of exactly maxTensorBytes, and refuses one element more, fed or computed', () => {
    expect(evaluateSync(flat, { x: new Array(8).fill(0) }, { backend: limited })['y'].size).to.equal(8);
    const fed = thrownBy(() => evaluateSync(flat, { x: new Array(9).fill(0) }, { backend: limited }));
    expect(fed.code).to.equal('E_LIMIT');
    expect(fed.message).to.match(/x.*at most 32 bytes.*36 bytes \(float32 \[9\]\)/);
    expect(evaluateSync(grown, { x: [[1], [2]], w: [[1, 2, 3, 4]] }, { backend: limited })['y'].size).to.equal(8);
    const computed = thrownBy(() => evaluateSync(grown, { x: [[1], [2], [3]], w: [[1, 2, 3]] }, { backend: limited }));
    expect(computed.code).to.equal('E_LIMIT');
    expect(computed.message).to.match(/y.*36 bytes/);
  });

  it('holds a tensor of maxDims axes, and refuses one axis more', () => {
    expect(evaluateSync(unflat(3), { x: [1] }, { backend: limited })['y'].rank).to.equal(3);
    expect(thrownBy(() => evaluateSync(unflat(4), { x: [1] }, { backend: limited })).message).to.match(/at most 3.*got 4/);
  });

  it('is told by supports where shapes are known, and by run where they are not', () => {
    const known = graph({ x: input([9]) }, ({ x }) => ({ y: exp(x) })) as Graph;
    expect(supports(limited, known).unsupported.map(({ op, alternatives }) => [op, alternatives])).to.deep.equal([
      ['input', ['js']],
      ['exp', ['js']],
    ]);
    expect(supports(limited, flat).isFull).to.equal(true);
    expect(supports(limited, unflat(4)).unsupported[0].diagnostic.code).to.equal('E_LIMIT');
  });

  it('counts temporaries of a contraction, too', () => {
    const g = graph({ a: input([2, 1]), b: input([1, 5]), c: input([5, 1]) }, (s) => ({
      y: ops['einsum']('ij,jk,kl->il', s.a, s.b, s.c) as typeof s.a,
    })) as Graph;
    const feeds = { a: ones([2, 1]), b: ones([1, 5]), c: ones([5, 1]) };
    expect(evaluateSync(g, feeds, { backend: limited })['y'].toArray()).to.deep.equal([[5], [5]]);
    expect(thrownBy(() => evaluateSync(g, feeds, { backend: claiming({ maxTensorBytes: 7 }) })).code).to.equal('E_LIMIT');
  });

  it('constants are held to them as well', () => {
    const g = graph({ x: input([1]) }, ({ x }) => ({ y: add(x, constantOf(x)) }));
    function constantOf<T>(like: T): T {
      void like;
      return tensor(new Float32Array(9)) as T;
    }
    expect(thrownBy(() => evaluateSync(g as Graph, { x: [1] }, { backend: limited })).code).to.equal('E_LIMIT');
  });
});
