/**
 * @file What a worker of a pool does: it keeps compiled graphs, and computes one feed at a time.
 */
import { describeValue, fault } from '../../../errors/index.js';
import { js, type Backend } from '../../../backends/index.js';
import { checkBackend } from '../../../backends/supports.js';
import { wasmNow } from '../../../backends/wasm/over.js';
import type { Tensor } from '../../../tensor/tensor.js';
import { flatten } from '../wire/flat-error.js';
import { graphFrom } from '../wire/graph-order.js';
import { buffersOf, pack, unpack } from '../wire/pack.js';
import type { GraphOrder, Order, RunOrder, StartOrder } from '../wire/protocol.js';
import { computing, type Compute } from './compute.js';
import { portHere, type Port } from './port.js';

/** What a script of one's own tells its worker. */
export interface PoolWorkerOptions {
  /** Computes instead of the backend that the pool names. */
  readonly backend?: () => Backend | Promise<Backend>;
}

/**
 * Serves the pool that has started this thread or process, until the pool ends it. For scripts of one's own, which define ops or
 * bring a backend: `executorPool({ script })` starts them in place of the package's.
 *
 * ```ts
 * // worker.js: defineOp({ name: 'mine', … }); poolWorker();
 * poolWorker() // => throws it serves in a worker that a pool has started
 * ```
 *
 * @throws EinstreamError E_ARGUMENT where no pool has started it
 */
export function poolWorker(options: PoolWorkerOptions = {}): void {
  serve(portHere(), options);
}

/** The worker behind a port. */
export function serve(port: Port, { backend: brought }: PoolWorkerOptions = {}): void {
  let means: Promise<{ readonly backend?: Backend; readonly tensorBytes: number }> | undefined;
  let flag: BigInt64Array | undefined;
  const graphs = new Map<number, Promise<Compute>>();
  const compiled = async (order: GraphOrder): Promise<Compute> => computing(graphFrom(order), (await means)!);
  const start = ({ backend, flag: shared, tensorBytes }: StartOrder): void => {
    flag = shared === undefined ? undefined : new BigInt64Array(shared);
    means = madeBackend(brought, backend).then((made) => ({ backend: made, tensorBytes }));
    // A worker without its backend is none: the pool hears that it ended, and its standard error says why.
    means.then(
      () => port.post({ kind: 'ready' }, []),
      (error: unknown) =>
        setTimeout(() => {
          throw error;
        }),
    );
  };
  /** Made at once, for whoever asks next; what is wrong with it the first run hears. */
  const tell = (order: GraphOrder): void => {
    const compute = compiled(order);
    compute.catch(() => undefined);
    graphs.set(order.graph, compute);
  };
  const run = async ({ run: number, graph, feeds }: RunOrder): Promise<void> => {
    const own = BigInt(number);
    const isStopped = (): boolean => flag !== undefined && Atomics.load(flag, 0) === own;
    try {
      const compute = graphs.get(graph);
      if (compute === undefined)
        throw fault('E_GRAPH', { place: 'worker', rule: 'a graph is told before its runs', actual: `graph ${graph}` });
      const outputs = await (await compute)(feedsOf(feeds), isStopped);
      if (outputs === undefined) return port.post({ kind: 'dropped', run: number }, []);
      const packed = pack(Object.entries<Tensor>(outputs), port.manner);
      port.post({ kind: 'done', run: number, outputs: packed }, port.manner === 'moved' ? buffersOf(packed) : []);
    } catch (error) {
      port.post({ kind: 'failed', run: number, error: flatten(error, 'worker') }, []);
    }
  };
  port.listen((message) => {
    const order = message as Order;
    if (order.kind === 'start') start(order);
    else if (order.kind === 'graph') tell(order);
    else if (order.kind === 'run') void run(order);
    else if (order.kind === 'forget') graphs.delete(order.graph);
  });
}

const feedsOf = (packed: RunOrder['feeds']): Readonly<Record<string, Tensor>> => {
  const feeds = Object.create(null) as Record<string, Tensor>;
  for (const [name, tensor] of unpack(packed)) feeds[name] = tensor;
  return feeds;
};

async function madeBackend(own: PoolWorkerOptions['backend'], named: StartOrder['backend']): Promise<Backend | undefined> {
  if (own === undefined) return named === 'js' ? js() : named === 'wasm' ? wasmNow() : undefined;
  const made: unknown = await own();
  if (made === undefined)
    throw fault('E_ARGUMENT', { place: 'backend', rule: 'it gives a backend', actual: describeValue(made) });
  checkBackend(made);
  return made;
}
