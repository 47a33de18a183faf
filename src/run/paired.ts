/**
 * @file Two backends as one: whoever is named gets the small share, the other what is large enough to repay the way there.
 */
import type { Backend } from '../backends/index.js';

/** Who computes what. */
export interface Shares {
  readonly small: Backend;
  /** Makes it at the first call. Undefined where one backend computes all. @throws EinstreamError E_OOM */
  readonly large: (() => Backend) | undefined;
}

const pairs = new WeakMap<Backend, Shares>();

/**
 * A backend that `run` reads as two. By itself it is the small one under another name: its tensors are that one's.
 *
 * @param maxFusedNodes of the large one, so that a graph has the same steps whoever computes them
 */
export function paired(small: Backend, large: () => Backend, { maxFusedNodes }: { readonly maxFusedNodes: number }): Backend {
  const { capabilities } = small;
  const pair = Object.freeze<Backend>({
    ...small,
    name: 'default',
    capabilities: Object.freeze({
      ...capabilities,
      name: 'default',
      features: Object.freeze([...new Set([...capabilities.features, 'SIMDAcceleration', 'CodeGeneration'] as const)]),
      maxFusedNodes: Math.min(capabilities.maxFusedNodes, maxFusedNodes),
      remarks: Object.freeze([
        'wasm computes, on one thread, where the work repays the copying; js computes the rest',
        ...capabilities.remarks,
      ]),
    }),
  });
  pairs.set(pair, { small, large });
  return pair;
}

/** The two of a pair; any other backend computes all by itself. */
export const sharesOf = (backend: Backend): Shares => pairs.get(backend) ?? { small: backend, large: undefined };
