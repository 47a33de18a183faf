/** @file Streams in chunks by the facade: the operators' numbers, read as they are taken (F016). */
import { expect } from 'chai';
import { lastValueFrom, take, toArray } from 'rxjs';
import { evaluateSync, executor, graph, input, sum } from '../../src/index.js';

const g = graph({ x: input(['n', 2]) }, ({ x }) => ({ y: sum(x, { axis: 1 }) }));
const rows = (count: number) => Array.from({ length: count }, (_, k) => ({ x: [k, 1] }));

describe('executor.executeStream and executeChunk (F016)', () => {
  it('give, chunk by chunk, what all rows at once give', async () => {
    const engine = executor();
    const whole = evaluateSync(g, { x: rows(11).map(({ x }) => x) }).y.toArray();
    for (const count of [1, 4, 11, 12]) {
      const results = await lastValueFrom(engine.executeStream(g, rows(11), { chunk: { count } }).pipe(toArray()));
      expect(results.flatMap(({ outputs }) => outputs.y.toArray())).to.deep.equal(whole);
      expect(results.map(({ metadata: { isLast } }) => isLast).lastIndexOf(true)).to.equal(results.length - 1);
    }
    const metadata = { chunkId: 3, startIdx: 33, endIdx: 44, size: 11, isLast: false };
    const one = await engine.executeChunk(g, { x: rows(11).map(({ x }) => x) }, metadata);
    expect([one.outputs.y.toArray(), one.metadata]).to.deep.equal([whole, metadata]);
  });

  it('reads no further than results are taken', async () => {
    let read = 0;
    function* endless() {
      for (let k = 0; ; k++) yield (read++, { x: [k, 1] });
    }
    const results$ = executor().executeStream(g, endless(), { chunk: { count: 3 }, prefetch: 0 });
    await lastValueFrom(results$.pipe(take(2)));
    expect(read).to.be.within(6, 10); // a chunk, and a row that shows whether it was the last
  });
});
