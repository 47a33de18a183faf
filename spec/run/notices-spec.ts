/** @file `onDiagnostic`: feeds that no input takes are told of once, and nobody pays who does not listen (F001). */
import { expect } from 'chai';
import { from, of } from 'rxjs';
import type { Diagnostic } from '../../src/errors/index.js';
import { EinstreamError } from '../../src/errors/index.js';
import { graph, input, param } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add } from '../../src/ops/binary/index.js';
import { evaluate, evaluateSync, live, liveMemory, run, type RunOptions } from '../../src/run/index.js';
import { tensor } from '../../src/tensor/create.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input(['n']), w: param(tensor([1])) }, ({ x, w }) => ({ y: add(x, w) })) as Graph;

function listening(): { readonly told: Diagnostic[]; readonly options: RunOptions } {
  const told: Diagnostic[] = [];
  return { told, options: { onDiagnostic: (diagnostic) => void told.push(diagnostic) } };
}

describe('a feed that no input takes (F001)', () => {
  it('is a warning that names it and the inputs there are, and the run goes on', () => {
    const { told, options } = listening();
    expect(evaluateSync(g, { x: [1], extra: [2] }, options)['y'].toArray()).to.deep.equal([2]);
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ severity: 'warning', code: 'W_UNUSED', place: 'extra' });
    expect(told[0].message).to.match(/"extra": no input takes this feed; expected "x", "w"/);
  });

  it('is told of once for each name and subscription, also when names change at equal count', () => {
    const { told, options } = listening();
    const feeds = [
      { x: [1], a: [1] },
      { x: [1], b: [1] },
      { x: [1], a: [1] },
      { x: [1, 2], b: [1], c: [1] },
      { x: [1], w: [3] },
    ];
    const outputs$ = from(feeds as unknown as { x: number[] }[]).pipe(run(g, options));
    expect(watch(outputs$).values).to.have.length(5);
    expect(told.map(({ place }) => place)).to.deep.equal(['a', 'b', 'c']);
    watch(outputs$);
    expect(told).to.have.length(6);
  });

  it('is told of by evaluate and live as well', async () => {
    const { told, options } = listening();
    await evaluate(g, { x: [1], extra: [1] }, options);
    watch(live(g, { x: of([1]), extra: of([1]) }, options));
    expect(told.map(({ place }) => place)).to.deep.equal(['extra', 'extra']);
  });

  it('may be called anything (G3)', () => {
    const { told, options } = listening();
    const feeds = JSON.parse('{ "x": [1], "__proto__": [1], "constructor": [1], "toString": [1], "": [1] }') as { x: number[] };
    evaluateSync(g, feeds, options);
    expect(told.map(({ place }) => place)).to.deep.equal(['__proto__', 'constructor', 'toString', '']);
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined);
  });

  it('is told of up to 100 names: a stream may invent names for ever', () => {
    const { told, options } = listening();
    const feeds = Array.from({ length: 300 }, (_, at) => ({ x: [1], [`extra${at}`]: [1] }));
    expect(watch(from(feeds).pipe(run(g, options))).values).to.have.length(300);
    expect(told).to.have.length(100);
  });

  it('is not even looked for when nobody listens', () => {
    const asked: string[] = [];
    const feeds = new Proxy({ x: [1] }, { ownKeys: (target) => (asked.push('keys'), Reflect.ownKeys(target)) });
    evaluateSync(g, feeds);
    expect(asked).to.deep.equal([]);
    evaluateSync(g, feeds, listening().options);
    expect(asked).to.deep.equal(['keys']);
  });
});

describe('a listener that throws (S16)', () => {
  const options: RunOptions = {
    onDiagnostic: () => {
      throw new Error('no space left');
    },
  };

  it('ends its own subscription with E_CONSUMER', () => {
    const { error } = watch(of({ x: [1], extra: [1] }).pipe(run(g, options)));
    expect((error as EinstreamError).code).to.equal('E_CONSUMER');
    expect((error as EinstreamError).message).to.match(/onDiagnostic.*no space left/);
    expect(() => evaluateSync(g, { x: [1], extra: [1] }, options)).to.throw(EinstreamError, /onDiagnostic/);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });

  it('must be a function', () => {
    expect(() => run(g, { onDiagnostic: 'console' as unknown as () => void })).to.throw(
      EinstreamError,
      /onDiagnostic is a function/,
    );
  });
});
