/**
 * @file A hand at the other end of a channel: work becomes orders, replies are checked and become tidings.
 */
import { fault } from '../../../errors/index.js';
import { leastRecentlyUsed } from '../../../backends/lru.js';
import type { Outputs } from '../../../run/index.js';
import type { Tensor } from '../../../tensor/tensor.js';
import type { Hire, Work } from '../hand.js';
import type { Plan } from '../plan.js';
import type { Open } from './channel.js';
import { restored } from './flat-error.js';
import { graphOrder } from './graph-order.js';
import { buffersOf, pack, unpack, wrongIn } from './pack.js';
import { readReply, type Packed, type Reply, type StartOrder } from './protocol.js';

/** Graphs that a worker keeps compiled; the one that was not used for longest goes first. */
const GRAPHS = 64;

export interface WireOptions extends Pick<StartOrder, 'backend' | 'tensorBytes'> {
  readonly graphs?: number;
}

/** Graphs that a new worker is told before it is asked for them: those that were asked for last. */
const WARM = 8;

/** A pool's way to hire: its hands share what graphs are asked for. */
export function wired(open: Open, { backend, tensorBytes, graphs = GRAPHS }: WireOptions): Hire {
  const recent = new Map<number, Plan>();
  const remember = (plan: Plan): void => {
    recent.delete(plan.number);
    recent.set(plan.number, plan);
    for (const number of recent.keys()) {
      if (recent.size <= WARM) break;
      recent.delete(number);
    }
  };
  return ({ ready, done, failed, malformed, stray, lost }) => {
    let isEnded = false;
    const works = new Map<number, Work>();
    const known = leastRecentlyUsed<number, number>(graphs, (graph) => channel.post({ kind: 'forget', graph }, []));
    const wrong = (run: number, actual: string): void =>
      malformed(
        run,
        fault('E_KERNEL', {
          place: 'worker',
          rule: 'a worker must answer with what its graph gives',
          actual,
          hint: 'it was replaced',
        }),
      );
    const answer = (reply: Exclude<Reply, { readonly kind: 'ready' }>): void => {
      const { run } = reply;
      const work = works.get(run);
      if (work === undefined) return stray();
      works.delete(run);
      if (reply.kind === 'dropped')
        return failed(run, fault('E_ABORT', { place: 'worker', rule: 'a run that was cancelled has no answer' }));
      if (reply.kind === 'failed') {
        const error = restored(reply.error, 1);
        return error === undefined ? wrong(run, 'an error that says nothing') : failed(run, error);
      }
      const found = wrongIn(reply.outputs, work.plan.expected(work.feeds));
      return found === undefined ? done(run, outputsOf(reply.outputs)) : wrong(run, found);
    };
    const channel = open({
      heard(message) {
        // What it had said before it was ended may come after that.
        if (isEnded) return;
        const reply = readReply(message);
        if (reply === undefined) return wrong(works.keys().next().value ?? 0, 'a message that is no reply');
        if (reply.kind === 'ready') return ready();
        return answer(reply);
      },
      lost,
    });
    const tell = ({ graph, number }: Plan): void => {
      if (known.get(number) !== undefined) return;
      const order = graphOrder(graph, number, channel.manner);
      channel.post(order, buffersOf(order.values));
      known.set(number, number);
    };
    const flag = channel.shares ? new SharedArrayBuffer(8) : undefined;
    const cancelled = flag === undefined ? undefined : new BigInt64Array(flag);
    channel.post({ kind: 'start', backend, flag, tensorBytes }, []);
    for (const plan of recent.values()) tell(plan);
    return {
      run(run, work) {
        const { plan } = work;
        remember(plan);
        works.set(run, work);
        try {
          const feeds = pack(work.feeds, channel.manner);
          tell(plan);
          channel.post({ kind: 'run', run, graph: plan.number, feeds }, buffersOf(feeds));
        } catch (error) {
          // Nothing was sent: a feed went stale while it waited, or there is no memory for a copy.
          works.delete(run);
          failed(run, error);
        }
      },
      cancel(run) {
        if (cancelled !== undefined) Atomics.store(cancelled, 0, BigInt(run));
      },
      hold: channel.hold,
      end() {
        isEnded = true;
        return channel.end();
      },
      pid: channel.pid,
    };
  };
}

function outputsOf(packed: Packed): Outputs {
  const outputs = Object.create(null) as Record<string, Tensor>;
  for (const [name, tensor] of unpack(packed)) outputs[name] = tensor;
  return outputs;
}
