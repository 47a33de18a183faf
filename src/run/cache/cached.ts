/**
 * @file `cached`: a node that was computed from equal operands before is not computed again.
 *
 * Every value that the cache knows has a number of its own, given once and never again. A result is filed under its node's
 * canonical form and the numbers of its operands; what is fed gets its number by its content, compared element by element
 * with a copy. So a key is equal only where everything is, and an entry that was evicted is never mistaken for another.
 */
import { concatMap, map, of } from 'rxjs';
import { textOfParams } from '../../graph/plainText.js';
import type { OpNode } from '../../graph/graph.js';
import { knownOp } from '../../ops/known.js';
import { hostCopy } from '../../tensor/host-copy.js';
import { assign, valueOf, type Frame } from '../frame.js';
import type { Middleware } from '../step.js';
import { numberOf, operandNumbers } from './numbers.js';
import { bytesOf, entriesOf, tensorCache, type TensorCache, type TensorCacheOptions } from './tensor-cache.js';

/**
 * Middleware that computes no node twice for equal operands: the result of the first time stands in.
 *
 * What is fed is compared by content, element by element; what the graph or the cache owns by identity. Results of different
 * backends are kept apart. Feeds and results are held as copies within the limit of the cache. Each subscription has a
 * cache of its own, unless one is passed in: then all runs with it share their results, and its `stats` count nodes.
 *
 * ```ts
 * const g = graph({ x: input([2]) }, ({ x }) => ({ y: sum(exp(x)) }));
 * const cache = tensorCache({ maxMegabytes: 1000 });
 * const again = () => evaluate(g, { x: [0, 1] }, { use: [cached(cache)] });
 * again().then(again).then(() => [cache.stats().misses, cache.stats().hits]) // => [1, 1]
 * ```
 *
 * @param cache one that `tensorCache` made, or what the cache of each subscription may hold
 * @throws EinstreamError E_ARGUMENT for limits outside their range
 */
export function cached(cache: TensorCache | TensorCacheOptions = {}): Middleware {
  const shared = entriesOf(cache);
  if (shared === undefined) tensorCache(cache as TensorCacheOptions); // wrong limits are told at the call
  const own = new WeakMap<object, TensorCache>();
  const entriesFor = ({ flights, program }: Frame) => {
    if (shared !== undefined) return shared;
    const subscription = flights ?? program;
    let found = own.get(subscription);
    if (found === undefined) own.set(subscription, (found = tensorCache(cache as TensorCacheOptions)));
    return entriesOf(found)!;
  };
  const operands = operandNumbers();

  return (step, node) => {
    // A view costs nothing, and would keep alive what it looks at.
    if (knownOp(node.op)?.view !== undefined) return step;
    const form = formOf(node);
    return concatMap((frame) => {
      const entries = entriesFor(frame);
      const read = operands.numbersOf(frame, node.inputs, entries);
      if (read === undefined) return of(frame).pipe(step);
      const key = `${form}@${numberOf(frame.program.prepared.backend)}(${read.join()})`;
      const found = entries.get(key);
      if (found === undefined) return of(frame).pipe(step, map(stored));
      // A value that is handed over without a copy is the consumer's, who may write to it.
      assign(frame, node.id, isHandedOver(frame, node) ? hostCopy(found) : found);
      operands.note(frame, node.id, numberOf(found));
      return of(frame);

      function stored(done: Frame): Frame {
        const value = valueOf(done, node.id);
        if (!entries.takes(bytesOf(value))) return done;
        const copy = hostCopy(value);
        if (!entries.set(key, copy, bytesOf(copy))) return done;
        // Memory of a backend's own is read as a copy, another one each time.
        if (done.program.prepared.backend.owns !== undefined) assign(done, node.id, value);
        operands.note(done, node.id, numberOf(copy));
        return done;
      }
    });
  };
}

const formOf = ({ op, params }: OpNode): string => `${op.length}:${op}${textOfParams(params)}`;

const isHandedOver = ({ program }: Frame, { id }: OpNode): boolean => program.fresh[program.prepared.slots[id]] === 1;
