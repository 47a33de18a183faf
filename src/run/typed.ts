/**
 * @file A prepared graph for feeds of known types: type and layout of every value, and what each node has to do for it.
 *
 * Nothing is compiled or allocated yet: who shall compute may depend on what comes out here.
 */
import { EinstreamError } from '../errors/index.js';
import { bindInputs } from '../graph/bind.js';
import type { NodeId } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import type { ComputedDType } from '../tensor/dtype.js';
import { rowMajorStrides } from '../tensor/shape.js';
import type { Tensor } from '../tensor/tensor.js';
import { requireValue } from './kernels.js';
import type { Prepared } from './prepare.js';
import { specializer, type Signature, type Specialized } from './specialized.js';

export interface Typed {
  readonly prepared: Prepared;
  /** Type and layout of each input as it is fed, in order. */
  readonly signature: readonly Signature[];
  /** Params that are not fed. */
  readonly defaults: readonly (Tensor | undefined)[];
  /** Type and layout of each slot, as kernels see it. */
  readonly types: readonly Signature[];
  /** For each slot, the slot whose buffer holds its elements: another one for views. */
  readonly homes: Int32Array;
  /** One for each of `prepared.nodes`. */
  readonly works: readonly Specialized[];
  /** Nanoseconds that the backend for what is large would save in all of them, about. */
  readonly saving: number;
}

/**
 * @param tensors as `asked` read them: its own values stand for params that are not fed
 * @throws EinstreamError E_FEED for feeds that do not fit, and what is wrong with nodes, or with the backend for them
 */
export function typed(prepared: Prepared, asked: Prepared, tensors: readonly Tensor[]): Typed {
  const { slots, slotCount, nodes, inputs } = prepared;
  const { signatureOf, specialize } = specializer(prepared);
  const types = new Array<Signature>(slotCount);
  const homes = Int32Array.from(types, (_, slot) => slot);
  const defaults = asked.inputs.map(({ value }, i) => (tensors[i] === value ? value : undefined));
  bindFeeds(prepared, tensors);
  inputs.forEach(({ slot, node, value }, i) => {
    const { shape: dims, dtype } = tensors[i];
    requireValue(prepared, node, { dims, dtype });
    types[slot] = signatureOf(defaults[i] === undefined ? landed(prepared, tensors[i]) : (value as Signature));
  });
  for (const { slot, value } of prepared.constants) types[slot] = signatureOf(value as Signature);
  const typeOf = (id: NodeId): Signature => types[slots[id]];
  let saving = 0;
  const works = nodes.map((node) => {
    const work = specialize(node, node.inputs.map(typeOf));
    const slot = slots[node.id];
    types[slot] = work.result;
    if (work.plan === undefined) homes[slot] = homes[slots[node.inputs[0]]];
    saving += work.saving;
    return work;
  });
  const signature = tensors.map((tensor) => signatureOf(tensor as Signature));
  return { prepared, signature, defaults, types, homes, works, saving };
}

/** How a feed lies where kernels read it: row after row, unless the backend's own memory holds it already. */
function landed({ backend }: Prepared, feed: Tensor): Signature {
  const { dtype, shape, strides } = feed as Signature & Tensor;
  return backend.owns?.(feed) === false ? { dtype, shape, strides: rowMajorStrides(shape) } : { dtype, shape, strides };
}

/** Feeds against declarations: rank, sizes, symbols, dtypes. */
function bindFeeds({ graph, inputs }: Prepared, tensors: readonly Tensor[]): void {
  const given = new Map<NodeId, ValueType>(
    inputs.map(({ node }, i) => [node.id, { dims: tensors[i].shape, dtype: tensors[i].dtype as ComputedDType }]),
  );
  try {
    bindInputs(graph, given);
  } catch (error) {
    if (error instanceof EinstreamError)
      throw new EinstreamError('E_FEED', { ...error.diagnostic, code: 'E_FEED' }, { nodeId: error.nodeId, cause: error });
    throw error;
  }
}
