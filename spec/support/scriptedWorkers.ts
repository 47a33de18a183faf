/**
 * @file A pool whose workers are scripted, in virtual time: they hear the real orders, compute the real graphs, and then answer
 * well, late, twice, wrongly or never, or die.
 */
import { VirtualTimeScheduler, type SchedulerLike } from 'rxjs';
import { evaluateSync, type ExecutorPool, type Graph, type PoolOptions } from '../../src/index.js';
import type { Tensor } from '../../src/tensor/tensor.js';
import { fault } from '../../src/errors/index.js';
import { desk } from '../../src/stream/pool/desk.js';
import { inProcess } from '../../src/stream/pool/in-process.js';
import { poolSettings } from '../../src/stream/pool/options.js';
import { poolAt } from '../../src/stream/pool/pool.js';
import type { Channel, Open } from '../../src/stream/pool/wire/channel.js';
import { flatten } from '../../src/stream/pool/wire/flat-error.js';
import { graphFrom } from '../../src/stream/pool/wire/graph-order.js';
import { pack, unpack } from '../../src/stream/pool/wire/pack.js';
import type { Order, Reply, RunOrder } from '../../src/stream/pool/wire/protocol.js';
import { wired } from '../../src/stream/pool/wire/wired.js';

/** What a worker is asked, as its script sees it. */
export interface Seen {
  /** Number of the worker, over all that were started. */
  readonly life: number;
  /** Of this worker's runs, from 0. */
  readonly nth: number;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

export interface Act {
  /** Milliseconds until it is done; 0 answers within the call. */
  readonly ms?: number;
  /** `'twice'` answers two times. A function gives the message instead of the reply. */
  readonly how?: 'answer' | 'die' | 'silence' | 'twice' | 'oom' | ((reply: Reply) => unknown);
  /** Milliseconds between looks at whether the run is still wanted; never by default. */
  readonly tileMs?: number;
}

export interface Script {
  readonly act?: (seen: Seen) => Act;
  /** Milliseconds until it is ready; 0 is at once. */
  readonly startMs?: number;
  readonly fails?: (life: number) => boolean;
  readonly shares?: boolean;
  /** What it had begun it says even after its end, as messages do that were on their way. */
  readonly lingers?: boolean;
}

export interface Life {
  readonly orders: Order[];
  isEnded: boolean;
  readonly die: (reason?: string) => void;
  readonly say: (message: unknown) => void;
}

export function scriptedOpen(script: Script, scheduler: SchedulerLike, lives: Life[]): Open {
  const { act = (): Act => ({}), startMs = 0, fails = () => false, shares = true, lingers = false } = script;
  return ({ heard, lost }) => {
    const number = lives.length;
    const life: Life = { orders: [], isEnded: false, die, say: (message) => void (isMute() || heard(message)) };
    const isMute = (): boolean => life.isEnded && !lingers;
    lives.push(life);
    if (fails(number)) throw new Error('spawn EAGAIN');
    const graphs = new Map<number, Graph>();
    let flag: BigInt64Array | undefined;
    let nth = 0;
    const later = (ms: number, what: () => void): void => {
      if (ms === 0) what();
      else scheduler.schedule(() => void (isMute() || what()), ms);
    };
    function die(reason = 'scripted'): void {
      if (life.isEnded) return;
      life.isEnded = true;
      lost(fault(reason === 'oom' ? 'E_OOM' : 'E_WORKER_LOST', { place: 'worker', rule: 'a worker must live', actual: reason }));
    }
    const compute = (order: RunOrder): Reply => {
      try {
        const outputs = evaluateSync(graphs.get(order.graph)!, Object.fromEntries(unpack(order.feeds)));
        return { kind: 'done', run: order.run, outputs: pack(Object.entries<Tensor>(outputs), 'moved') };
      } catch (error) {
        return { kind: 'failed', run: order.run, error: flatten(error, 'worker') };
      }
    };
    const run = (order: RunOrder): void => {
      const {
        ms = 0,
        how = 'answer',
        tileMs = Infinity,
      } = act({ life: number, nth: nth++, feeds: Object.fromEntries(unpack(order.feeds)) });
      const finish = (): void => {
        if (how === 'silence') return;
        if (how === 'die' || how === 'oom') return die(how);
        const reply = compute(order);
        life.say(typeof how === 'function' ? how(reply) : reply);
        if (how === 'twice') life.say(reply);
      };
      const tile = (left: number): void => {
        if (flag !== undefined && Atomics.load(flag, 0) === BigInt(order.run))
          return life.say({ kind: 'dropped', run: order.run });
        if (left <= tileMs) later(left, finish);
        else later(tileMs, () => tile(left - tileMs));
      };
      tile(ms);
    };
    const channel: Channel = {
      manner: 'copied',
      shares,
      post(order, buffers) {
        if (life.isEnded) return;
        life.orders.push(order);
        const received = structuredClone(order, { transfer: buffers });
        if (received.kind === 'start') {
          if (received.flag !== undefined) flag = new BigInt64Array(received.flag);
          later(startMs, () => heard({ kind: 'ready' }));
        } else if (received.kind === 'graph') graphs.set(received.graph, graphFrom(received));
        else if (received.kind === 'forget') graphs.delete(received.graph);
        else run(received);
      },
      hold: () => undefined,
      end() {
        life.isEnded = true;
        return Promise.resolve();
      },
    };
    return channel;
  };
}

export interface Scripted {
  readonly pool: ExecutorPool;
  readonly lives: Life[];
  readonly time: VirtualTimeScheduler;
  /** Lets so many milliseconds pass; all that there is to come by default. */
  readonly pass: (ms?: number) => void;
}

/** @param options of the pool; without a scheduler a virtual one is made */
export function scriptedPool(script: Script = {}, options: PoolOptions = {}): Scripted {
  const time = new VirtualTimeScheduler();
  const scheduler = options.scheduler ?? time;
  const lives: Life[] = [];
  const settings = poolSettings({ workers: 2, random: () => 0, ...options, scheduler });
  const hire = wired(scriptedOpen(script, scheduler, lives), { backend: undefined, tensorBytes: 0 });
  const at = desk(
    Array.from({ length: settings.workers + settings.spares }, () => hire),
    settings,
    settings.degrade === 'inProcess' ? { inProcess: inProcess(scheduler) } : {},
  );
  at.start(() => undefined);
  const pass = (ms = Infinity): void => {
    time.maxFrames = ms === Infinity ? Infinity : time.frame + ms;
    time.flush();
    if (ms !== Infinity) time.frame = time.maxFrames;
  };
  return { pool: poolAt(at, 4 * settings.workers), lives, time, pass };
}
