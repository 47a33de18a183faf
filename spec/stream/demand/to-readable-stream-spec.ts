/** @file A flow for the web's streams: each read is one credit. */
import { expect } from 'chai';
import { pulled, toReadableStream } from '../../../src/index.js';
import { scripted, settled } from '../../support/flow-probe.js';
import { expectNothingUncaught } from '../../support/uncaught.js';

describe('toReadableStream', () => {
  expectNothingUncaught();

  it('asks for one item a read, and for none before', async () => {
    const { flow, sink, granted } = scripted<string>();
    const reader = toReadableStream(flow).getReader();
    await settled();
    expect(sink()).to.equal(undefined);
    const reads = [reader.read(), reader.read()];
    await settled();
    for (const [k, item] of ['a', 'b'].entries()) {
      expect(granted()).to.equal(k + 1);
      sink().next(item);
      await settled();
    }
    expect(await Promise.all(reads)).to.deep.equal([
      { done: false, value: 'a' },
      { done: false, value: 'b' },
    ]);
    await settled();
    expect(granted()).to.equal(2);
  });

  it('closes and fails with its flow', async () => {
    const values: number[] = [];
    await toReadableStream(pulled([1, 2, 3])).pipeTo(new WritableStream({ write: (item) => void values.push(item) }));
    expect(values).to.deep.equal([1, 2, 3]);
    const error = new Error('mine');
    const { flow, sink } = scripted<string>();
    const read = toReadableStream(flow).getReader().read();
    await settled();
    sink().error(error);
    expect(await read.catch((cause: unknown) => cause)).to.equal(error);
  });

  it('holds a pipe to the pace of where it ends', async () => {
    let [pulls, written, peak] = [0, 0, 0];
    const source = {
      *[Symbol.iterator]() {
        while (pulls < 200) {
          peak = Math.max(peak, ++pulls - written);
          yield pulls;
        }
      },
    };
    const slow = new WritableStream<number>({
      async write() {
        await settled(1);
        written++;
      },
    });
    await toReadableStream(pulled(source)).pipeTo(slow);
    expect([pulls, written]).to.deep.equal([200, 200]);
    expect(peak).to.be.at.most(2); // one is written, and one may wait in the pipe
  });

  it('cancels its flow when it is cancelled', async () => {
    const { flow, calls } = scripted<string>();
    const reader = toReadableStream(flow).getReader();
    const read = reader.read();
    await settled();
    await reader.cancel('enough');
    expect(await read).to.deep.equal({ done: true, value: undefined });
    expect(calls).to.deep.equal(['grant 1', 'cancel']);
  });
});
