/**
 * @file Tensors by key, bounded in bytes.
 */
import { describeValue, fault } from '../../errors/index.js';
import { byteSize } from '../../tensor/dtype.js';
import { Tensor } from '../../tensor/tensor.js';
import { bounded, type Bounded, type CacheCounts } from './bounded.js';
import { EVICTION_POLICIES, type EvictionPolicy } from './order.js';

/** How much a `tensorCache` may hold, and who goes first. */
export interface TensorCacheOptions {
  /** Bytes of elements; 256 MiB by default. */
  readonly maxBytes?: number;
  /** The same in megabytes of 1,000,000 bytes; instead of `maxBytes`. */
  readonly maxMegabytes?: number;
  /** `'lru'` by default. `'none'` evicts nobody, and refuses what there is no room for. */
  readonly policy?: EvictionPolicy;
}

/** What a `tensorCache` holds and what it was asked for. Bytes are of elements. */
export interface TensorCacheStats extends CacheCounts {
  /** Tensors that it did not take: there was no room, and none was to be made. */
  readonly refused: number;
}

/** Tensors by key. Those that it holds are shared with whoever asks, and must not be written to. */
export interface TensorCache {
  get(key: string): Tensor | undefined;
  /** False where the tensor was refused; then nothing else has changed. */
  insert(key: string, value: Tensor): boolean;
  remove(key: string): boolean;
  /** Asks without counting, and without making the entry younger. */
  contains(key: string): boolean;
  clear(): void;
  stats(): TensorCacheStats;
}

/**
 * Makes a cache of tensors, bounded in bytes. A tensor over the limit is refused. Replacing a tensor by one of the same size
 * evicts nobody. Of entries that the policy holds for equal, the oldest goes.
 *
 * ```ts
 * const cache = tensorCache({ maxBytes: 16, policy: 'lru' });
 * ['a', 'b'].forEach((key) => cache.insert(key, tensor([1, 2])));
 * cache.get('a');
 * cache.insert('c', tensor([3, 4])); // 'b' was used least recently
 * ['a', 'b', 'c'].filter((key) => cache.contains(key)) // => ['a', 'c']
 * cache.insert('d', zeros([5])) // => false
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for a limit that is no number ≥ 0, two of them, or another policy
 */
export function tensorCache(options: TensorCacheOptions = {}): TensorCache {
  const { maxBytes, policy } = readOptions(options);
  const entries = bounded<string, Tensor>({ maxEntries: Infinity, maxBytes, policy });
  let refused = 0;
  const cache: TensorCache = Object.freeze<TensorCache>({
    get: (key) => entries.get(key),
    insert(key, value) {
      if (!(value instanceof Tensor))
        throw fault('E_ARGUMENT', { place: 'insert', rule: 'a tensor cache holds tensors', actual: describeValue(value) });
      const isTaken = entries.set(key, value, bytesOf(value));
      if (!isTaken) refused++;
      return isTaken;
    },
    remove: (key) => entries.delete(key),
    contains: (key) => entries.has(key),
    clear: () => entries.clear(),
    stats: () => Object.freeze({ ...entries.counts(), refused }),
  });
  known.set(cache, entries);
  return cache;
}

const known = new WeakMap<object, Bounded<string, Tensor>>();

/** What a cache holds, for those who must look without being counted; undefined for what is no cache of ours. */
export const entriesOf = (cache: object): Bounded<string, Tensor> | undefined => known.get(cache);

export const bytesOf = ({ size, dtype }: Tensor): number => size * byteSize(dtype);

function readOptions({ maxBytes, maxMegabytes, policy = 'lru', ...rest }: TensorCacheOptions) {
  const wrong = (place: string, rule: string, actual: unknown) =>
    fault('E_ARGUMENT', { place, rule, actual: describeValue(actual) });
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrong('tensorCache', 'it has the options maxBytes, maxMegabytes and policy', unknown);
  if (maxBytes !== undefined && maxMegabytes !== undefined)
    throw wrong('tensorCache', 'one limit is given, maxBytes or maxMegabytes', maxMegabytes);
  const limit = maxBytes ?? (maxMegabytes === undefined ? 256 * 2 ** 20 : maxMegabytes * 1e6);
  if (typeof limit !== 'number' || !(limit >= 0)) throw wrong('maxBytes', 'a limit is a number ≥ 0', maxBytes ?? maxMegabytes);
  if (!EVICTION_POLICIES.includes(policy)) throw wrong('policy', `it is one of ${EVICTION_POLICIES.join(', ')}`, policy);
  return { maxBytes: limit, policy };
}
