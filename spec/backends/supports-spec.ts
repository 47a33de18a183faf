/** @file What a backend says that it can do is what it does. */
import { expect } from 'chai';
import { js, summarize, supports, supportTable, type Backend, type BackendCapabilities } from '../../src/backends/index.js';
import { EinstreamError, type Diagnostic } from '../../src/errors/index.js';
import { graph, input, param } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add, mul } from '../../src/ops/binary/index.js';
import { reshape } from '../../src/ops/movement/index.js';
import type { Example } from '../../src/ops/op.js';
import { allOps, ops } from '../../src/ops/registry.js';
import { exp, relu } from '../../src/ops/unary/index.js';
import { evaluateSync, live, type RunOptions } from '../../src/run/index.js';
import { ones, tensor } from '../../src/tensor/index.js';
import { COMPUTED_DTYPES, isComputed, STORAGE_DTYPES } from '../../src/tensor/dtype.js';
import { exampleCases } from '../../src/testing/conformance/cases.js';
import { of } from 'rxjs';
import { watch } from '../support/watch.js';

/** A js backend that says of itself what it is told to. */
const claiming = (claims: Partial<BackendCapabilities>, name = 'narrow'): Backend => {
  const backend = js();
  return { ...backend, name, capabilities: { ...backend.capabilities, name, ...claims } };
};
const errorOf = (act: () => unknown): EinstreamError => {
  try {
    act();
  } catch (error) {
    expect(error).to.be.instanceOf(EinstreamError);
    return error as EinstreamError;
  }
  throw new Error('nothing was thrown');
};
const doubled = (dtype: 'float32' | 'float64'): Graph =>
  graph({ x: input([2], { dtype }) }, ({ x }) => ({ y: mul(exp(x), 2) })) as Graph;

describe('the table of ops and dtypes (F086)', () => {
  it('has a cell for each op and each dtype, computed and stored', () => {
    expect(supportTable(js())).to.have.length(allOps().length * (COMPUTED_DTYPES.length + STORAGE_DTYPES.length));
  });

  it('says yes where js runs the op, and no where running gives that very error', () => {
    const definitions = new Map(allOps().map((op) => [op.name, op]));
    let [yes, no] = [0, 0];
    for (const { op, dtype, isNative, diagnostic, alternatives } of supportTable(js())) {
      const place = `${op} of ${dtype}`;
      const run = (): void => {
        if (isComputed(dtype)) {
          const cases = exampleCases(definitions.get(op)!, dtype);
          if (cases.length > 0) return cases.forEach(({ graph: g, feeds }) => void evaluateSync(g, feeds, { fallback: 'never' }));
        }
        const [example] = definitions.get(op)!.examples;
        const count = Array.isArray(example) ? 1 : (example as Example).inputs.length;
        const params = Array.isArray(example) ? {} : ((example as Example).params ?? {});
        // Stored alone, or refused by the op: the graph cannot be written.
        graph({ x: param(tensor([1, 1], { dtype })) }, ({ x }) => ({
          y: ops[op](...Array.from({ length: count }, () => x), params) as typeof x,
        }));
      };
      if (isNative) {
        run();
        yes++;
      } else {
        const error = errorOf(run);
        expect(['E_DTYPE', 'E_OP', 'E_ARGUMENT'], place).to.include(error.code);
        expect(diagnostic!.code, place).to.equal(error.diagnostic.code);
        expect(alternatives, place).to.deep.equal([]);
        no++;
      }
    }
    console.log(`    ${yes} cells run, ${no} are refused`);
    expect(yes).to.be.greaterThan(250);
  });

  it('names js where another backend says no', () => {
    const narrow = claiming({ dtypes: ['float32'], excludes: [{ op: 'exp' }, { op: 'relu', dtypes: ['float32'] }] });
    const cell = (op: string, dtype: string) => supportTable(narrow).find((each) => each.op === op && each.dtype === dtype)!;
    expect(cell('exp', 'float32')).to.deep.include({ isNative: false, alternatives: ['js'] });
    expect(cell('exp', 'float32').diagnostic!.code).to.equal('E_OP');
    expect(cell('relu', 'float32').diagnostic!.code).to.equal('E002');
    expect(cell('tanh', 'float64').diagnostic!.message).to.match(
      /backend narrow must know the dtype.*float32.*float64.*use backend js/,
    );
    expect(cell('tanh', 'float32').isNative).to.equal(true);
    expect(cell('tanh', 'int8').alternatives).to.deep.equal([]);
  });
});

describe('supports (F086)', () => {
  it('lists the nodes that run natively, and of the others why not and who can', () => {
    const g = graph({ x: input(['n']), w: param(ones([2])) }, ({ x, w }) => ({ y: exp(relu(add(x, w))) }));
    expect(supports(js(), g)).to.deep.equal({ isFull: true, native: [0, 1, 2, 3, 4], unsupported: [] });
    const { isFull, native, unsupported } = supports(claiming({ excludes: [{ op: 'relu' }] }), g);
    expect([isFull, native.length, unsupported.length]).to.deep.equal([false, 4, 1]);
    expect(unsupported[0]).to.deep.include({ nodeId: 3, op: 'relu', alternatives: ['js'] });
    expect(unsupported[0].diagnostic.message).to.match(/relu_3.*must have the op.*relu.*use backend js/);
  });

  it('refuses what is no backend', () => {
    for (const wrong of [undefined, null, {}, 'js', Promise.resolve(js()), { ...js(), compile: undefined }]) {
      expect(errorOf(() => supports(wrong as Backend, doubled('float32'))).code).to.equal('E_ARGUMENT');
      if (wrong != null)
        expect(errorOf(() => evaluateSync(doubled('float32'), { x: [1, 2] }, { backend: wrong as Backend })).code).to.equal(
          'E_ARGUMENT',
        );
    }
  });
});

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
    const error = errorOf(() =>
      evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: narrow(), fallback: 'never', level: 'none' }),
    );
    expect(error.code).to.equal('E_OP');
    expect(error.nodeId).to.equal(1);
    expect(error.message).to.match(/exp_1.*backend narrow must have the op.*use backend js/);
    const fused = errorOf(() => evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: narrow(), fallback: 'never' }));
    expect(fused.code).to.equal('E_OP');
    const cause = errorOf(() => evaluateSync(doubled('float32'), { x: [0, 0] }, { backend: uncompiling(), fallback: 'never' }));
    expect(cause.code).to.equal('E_CODEGEN');
    expect((cause.cause as Error).message).to.equal('not written yet');
  });

  it('is refused before any kernel runs when it is a dtype that the backend cannot hold', () => {
    const error = errorOf(() =>
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
    const { evaluate } = await import('../../src/run/index.js');
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
    const fed = errorOf(() => evaluateSync(flat, { x: new Array(9).fill(0) }, { backend: limited }));
    expect(fed.code).to.equal('E_LIMIT');
    expect(fed.message).to.match(/x.*at most 32 bytes.*36 bytes \(float32 \[9\]\)/);
    expect(evaluateSync(grown, { x: [[1], [2]], w: [[1, 2, 3, 4]] }, { backend: limited })['y'].size).to.equal(8);
    const computed = errorOf(() => evaluateSync(grown, { x: [[1], [2], [3]], w: [[1, 2, 3]] }, { backend: limited }));
    expect(computed.code).to.equal('E_LIMIT');
    expect(computed.message).to.match(/y.*36 bytes/);
  });

  it('holds a tensor of maxDims axes, and refuses one axis more', () => {
    expect(evaluateSync(unflat(3), { x: [1] }, { backend: limited })['y'].rank).to.equal(3);
    expect(errorOf(() => evaluateSync(unflat(4), { x: [1] }, { backend: limited })).message).to.match(/at most 3.*got 4/);
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
    expect(errorOf(() => evaluateSync(g, feeds, { backend: claiming({ maxTensorBytes: 7 }) })).code).to.equal('E_LIMIT');
  });

  it('constants are held to them as well', () => {
    const g = graph({ x: input([1]) }, ({ x }) => ({ y: add(x, constantOf(x)) }));
    function constantOf<T>(like: T): T {
      void like;
      return tensor(new Float32Array(9)) as T;
    }
    expect(errorOf(() => evaluateSync(g as Graph, { x: [1] }, { backend: limited })).code).to.equal('E_LIMIT');
  });
});

describe('summarize (F087, E07)', () => {
  it('prints what there is, and leaves out what there is not', () => {
    expect(summarize(js({ kernels: 'generate' }).capabilities)).to.equal(
      [
        'js 1',
        '  devices  CPU:0',
        '  dtypes   bool, int32, float32, float64',
        '  features CodeGeneration',
        '  limits   64 axes, 16 GiB a tensor',
        '  kernels  synchronous',
      ].join('\n'),
    );
    const text = summarize(
      claiming({ asynchronous: true, excludes: [{ op: 'erf' }, { op: 'exp', dtypes: ['int32', 'bool'] }] }).capabilities,
    );
    expect(text).to.match(/\n {2}lacks {4}erf, exp of int32 and bool\n {2}kernels {2}asynchronous/);
    expect(summarize(js({ kernels: 'interpret' }).capabilities)).to.match(/remarks .*interpreted/);
  });

  it('speaks of plain data', () => {
    const { capabilities } = js();
    expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
    expect(capabilities.features).not.to.include('SparseTensors');
  });
});
