/** @file The worker's side, on a port of the spec's own: graphs kept, runs stopped, failures told, memory bounded (P4) (R7). */
import { expect } from 'chai';
import { concat, graph, input, js, liveMemory, matmul, ones, tensor, type Backend } from '../../../../src/index.js';
import { poolWorker, type PoolWorkerOptions } from '../../../../src/worker.js';
import { graphOrder } from '../../../../src/stream/pool/wire/graph-order.js';
import { pack } from '../../../../src/stream/pool/wire/pack.js';
import type { Order, Reply } from '../../../../src/stream/pool/wire/protocol.js';
import { serve } from '../../../../src/stream/pool/worker/serve.js';
import { settled } from '../../../support/poolLedger.js';
import { thrownBy } from '../../../support/thrownBy.js';

const chain = graph({ x: input(['n', 2]), w: input([2, 2]) }, ({ x, w }) => ({ y: matmul(matmul(matmul(x, w), w), w) }));
const feeds = () => pack([['x', ones([1, 2])], ['w', tensor([[1, 0], [0, 2]])]], 'copied'); // prettier-ignore

async function worker(options: PoolWorkerOptions = {}, tensorBytes = 0) {
  const replies: Reply[] = [];
  let hear: (message: Order) => void = () => undefined;
  serve({ manner: 'moved', post: (reply) => void replies.push(reply), listen: (act) => void (hear = act) }, options);
  const flag = new SharedArrayBuffer(8);
  hear({ kind: 'start', backend: 'js', flag, tensorBytes });
  await settled();
  return { replies, tell: (order: Order) => hear(order), flag: new BigInt64Array(flag) };
}

describe('the worker of a pool', () => {
  it('says that it is ready, then answers each run with the outputs', async () => {
    const { replies, tell } = await worker();
    expect(replies).to.deep.equal([{ kind: 'ready' }]);
    tell(graphOrder(chain, 1, 'copied'));
    tell({ kind: 'run', run: 5, graph: 1, feeds: feeds() });
    await settled();
    expect(replies[1]).to.deep.include({ kind: 'done', run: 5 });
    const [, reply] = replies;
    expect(reply.kind === 'done' && Array.from(reply.outputs.arrays[0] as Float32Array)).to.deep.equal([1, 8]);
  });

  it('stops between two nodes when its run is not wanted, and holds nothing then', async () => {
    const { flag, ...at } = await worker({
      backend: () => {
        const inner = js();
        const stopping: Backend = {
          ...inner,
          compile(ir) {
            const kernel = inner.compile(ir);
            return {
              ...kernel,
              run(inputs, outputs) {
                kernels++;
                if (kernels === 2) Atomics.store(flag, 0, 9n);
                return kernel.run(inputs, outputs);
              },
            };
          },
        };
        return stopping;
      },
    });
    let kernels = 0;
    at.tell(graphOrder(chain, 1, 'copied'));
    at.tell({ kind: 'run', run: 9, graph: 1, feeds: feeds() });
    await settled();
    expect([at.replies.slice(1), kernels]).to.deep.equal([[{ kind: 'dropped', run: 9 }], 2]);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
    at.tell({ kind: 'run', run: 10, graph: 1, feeds: feeds() });
    await settled();
    expect(at.replies.at(-1)).to.deep.include({ kind: 'done', run: 10 });
  });

  it('tells what fails, of a graph it cannot read too, and goes on', async () => {
    const { replies, tell } = await worker();
    tell({ ...graphOrder(chain, 2, 'copied'), text: '{"einstream": 99}' });
    tell({ kind: 'run', run: 1, graph: 2, feeds: feeds() });
    tell({ kind: 'run', run: 2, graph: 77, feeds: feeds() });
    tell(graphOrder(chain, 1, 'copied'));
    tell({ kind: 'run', run: 3, graph: 1, feeds: pack([['x', ones([1, 3])], ['w', ones([2, 2])]], 'copied') }); // prettier-ignore
    tell({ kind: 'run', run: 4, graph: 1, feeds: feeds() });
    await settled();
    const told = replies
      .slice(1)
      .map((reply) => [reply.kind, 'run' in reply ? reply.run : 0, 'error' in reply ? reply.error.code : '']);
    expect(told).to.have.deep.members([
      ['failed', 1, 'E_PARSE'],
      ['failed', 2, 'E_GRAPH'],
      ['failed', 3, 'E_FEED'],
      ['done', 4, ''],
    ]);
  });

  it('refuses a run that needs more memory than it may have: what is fed, what lies between, what comes out', async () => {
    const grown = graph({ x: input(['n']) }, ({ x }) => ({ y: concat(Array.from({ length: 10 }, () => x)) }));
    const { replies, tell } = await worker({}, 4400);
    tell(graphOrder(grown, 1, 'copied'));
    for (const [run, n] of [100, 101, 100].entries())
      tell({ kind: 'run', run: 1 + run, graph: 1, feeds: pack([['x', ones([n])]], 'copied') });
    await settled();
    expect(replies.slice(1).map((reply) => ('error' in reply ? reply.error.code : reply.kind))).to.deep.equal([
      'done',
      'E_OOM',
      'done',
    ]);
  });

  it('serves nobody where no pool has started it', () => {
    expect(thrownBy(() => poolWorker()).code).to.equal('E_ARGUMENT');
  });
});
