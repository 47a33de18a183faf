/** @file Chunks of a source that can wait: read as far ahead as is said, and no further (F016–F018). */
import { expect } from 'chai';
import { asyncScheduler, concatMap, delay, map, of, take } from 'rxjs';
import {
  add,
  EinstreamError,
  einsum,
  evaluateSync,
  graph,
  input,
  mergeResults,
  relu,
  runStream,
  sum,
  tensor,
  type ChunkState,
  type Middleware,
  type Outputs,
  type StreamingConfig,
  type StreamResult,
} from '../../../src/index.js';
import { plain, virtually } from '../../support/marbles.js';
import { expectNothingUncaught } from '../../support/uncaught.js';
import { watch } from '../../support/watch.js';

const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: add(relu(x), 1) }));
const row = (k: number) => ({ x: tensor([k, -k]) });
const codeOf = (error: unknown): unknown => (error instanceof EinstreamError ? error.code : error);
const taking = (ms: number): Middleware => (step) => (frames$) => frames$.pipe(concatMap((frame) => of(frame).pipe(delay(ms))), step); // prettier-ignore

/** A source that counts. */
function counting(count: number) {
  const seen = { pulled: 0, closed: 0 };
  const source = {
    *[Symbol.iterator]() {
      try {
        while (seen.pulled < count) yield row(seen.pulled++);
      } finally {
        seen.closed++;
      }
    },
  };
  return { seen, source };
}

/** Rows read while the first chunk is computed, and while each result is being taken. */
function readAhead(config: StreamingConfig): { readonly computing: number; readonly taken: readonly number[] } {
  const { seen, source } = counting(1000);
  const taken: number[] = [];
  let computing = 0;
  virtually(({ flush }) => {
    const use = [taking(5)];
    runStream(g, source, { chunk: { count: 10 }, run: { use }, ...config })
      .pipe(take(4))
      .subscribe(() => taken.push(seen.pulled));
    asyncScheduler.schedule(() => (computing = seen.pulled), 3);
    flush();
  });
  return { computing, taken };
}

describe('runStream', () => {
  expectNothingUncaught();

  it('gives, put together, what the graph gives for all rows at once', () => {
    for (const chunk of [{ count: 1 }, { count: 7 }, { bytes: 100 }, { adaptive: { initial: 3 } }, 'none'] as const) {
      const { values } = watch(runStream(g, counting(23).source, { chunk }));
      const whole = evaluateSync(g, { x: Array.from({ length: 23 }, (_, k) => [k, -k]) });
      expect(plain(mergeResults(values.map(({ outputs }) => outputs as Outputs)))).to.deep.equal(plain({ ...whole }));
      expect(values.filter(({ metadata: { isLast } }) => isLast)).to.have.length(1);
    }
    expect(watch(runStream(g, []))).to.include({ isComplete: true });
  });

  it('reads prefetch chunks ahead, 1 by default, and one row that shows whether there is more', () => {
    expect(readAhead({})).to.deep.equal({ computing: 21, taken: [21, 31, 41, 51] });
    expect(readAhead({ prefetch: 0 })).to.deep.equal({ computing: 11, taken: [11, 21, 31, 41] });
    expect(readAhead({ prefetch: 3 })).to.deep.equal({ computing: 41, taken: [41, 51, 61, 71] });
  });

  it('overlap: reads while a chunk is computed, unless told otherwise', () => {
    expect(readAhead({ overlap: true }).computing).to.equal(21);
    expect(readAhead({ overlap: false }).computing).to.equal(11);
  });

  it('lets go of the source when it is left, and reads nothing before it is subscribed to', () => {
    const { seen, source } = counting(1000);
    const results$ = runStream(g, source, { chunk: { count: 3 } });
    expect(seen.pulled).to.equal(0);
    watch(results$.pipe(take(2)));
    expect(seen).to.deep.equal({ pulled: 7, closed: 1 }); // two chunks, and the row behind them: kernels that answer at once leave no time to read ahead
  });

  it('counts in bytes what rows hold and what the graph needs for them, and no chunk is above', () => {
    // A row is 8 bytes, and as many again in its output: there is one kernel.
    const sizes = (bytes: number) => watch(runStream(g, counting(12).source, { chunk: { bytes } })).values.map(({ metadata: { size } }) => size); // prettier-ignore
    expect(sizes(80)).to.deep.equal([5, 5, 2]);
    expect(sizes(79)).to.deep.equal([4, 4, 4]);
    expect(sizes(1)).to.deep.equal(Array.from({ length: 12 }, () => 1));
    const wide = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(relu(einsum('ni,nj->nij', x, x)), { axis: [1, 2] }) }));
    const needed = watch(runStream(wide, counting(12).source, { chunk: { bytes: 80 } })).values;
    expect(needed[0].metadata.size).to.equal(Math.floor(80 / (8 + 16 + 4))); // its square lies between
  });

  it('calls onCheckpoint each checkpointEvery chunks, when their results were delivered, with where to go on', () => {
    const states: ChunkState[] = [];
    const order: unknown[] = [];
    const config: StreamingConfig = {
      chunk: { count: 2 },
      checkpointEvery: 3,
      onCheckpoint: (state) => {
        states.push(JSON.parse(JSON.stringify(state)) as ChunkState);
        order.push(`saved ${state.startIdx}`);
      },
      clock: () => 0,
    };
    const described = map(({ metadata, outputs }: StreamResult) => [metadata, plain({ ...outputs })] as const);
    const whole = watch(runStream(g, counting(15).source, config).pipe(described)).values;
    runStream(g, counting(15).source, config).subscribe(({ metadata: { endIdx } }) => order.push(endIdx));
    expect(order).to.deep.equal(['saved 6', 'saved 12', 2, 4, 6, 'saved 6', 8, 10, 12, 'saved 12', 14, 15]);
    expect(states[1]).to.deep.include({ chunkId: 6, startIdx: 12, rows: [] });
    for (const from of states.slice(0, 2)) {
      const rest = Array.from({ length: 15 - from.startIdx }, (_, k) => row(from.startIdx + k));
      const resumed = watch(runStream(g, rest, { ...config, from }).pipe(described)).values;
      expect(resumed).to.deep.equal(whole.slice(from.chunkId));
    }
    const broken = { ...config, onCheckpoint: () => { throw new Error('mine'); } }; // prettier-ignore
    const { error, values } = watch(runStream(g, counting(15).source, broken));
    expect([codeOf(error), values.length]).to.deep.equal(['E_CONSUMER', 3]);
  });

  it('passes on the errors of its source and of the graph', () => {
    const error = new Error('mine');
    const failing = {
      *[Symbol.iterator]() {
        yield row(0);
        yield row(1);
        throw error;
      },
    };
    const seen = watch(runStream(g, failing, { chunk: { count: 1 } }));
    expect([seen.values.length, seen.error]).to.deep.equal([1, error]);
    expect(codeOf(watch(runStream(g, [{ x: tensor([1, 2, 3]) }])).error)).to.equal('E_FEED');
  });

  it('refuses wrong options and sources that cannot wait, at the call', () => {
    const wrong: readonly unknown[] = [
      { chunk: 64 },
      { prefetch: -1 },
      { prefetch: 1.5 },
      { overlap: 3 },
      { overlap: false, prefetch: 2 },
      { checkpointEvery: 0, onCheckpoint: () => undefined },
      { checkpointEvery: 2 },
      { onCheckpoint: 3 },
      { from: {} },
      { size: 3 },
    ];
    for (const config of wrong)
      expect(() => runStream(g, [], config as never), JSON.stringify(config))
        .to.throw(EinstreamError)
        .with.property('code', 'E_ARGUMENT');
    expect(() => runStream(g, of(row(1)) as never)).to.throw(EinstreamError, /must be one that can wait/);
  });
});
