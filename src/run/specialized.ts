/**
 * @file What a node does for operands of known types: its result's type and the kernels to make.
 *
 * Nodes that do the same to the same types share all of it, so that a million nodes cost as much as the few kinds of them.
 */
import { fault, type EinstreamError } from '../errors/index.js';
import { kernelsOf, savingOf } from '../backends/wasm/saving.js';
import { lower, materialize, type Seen, type Work } from '../codegen/lower.js';
import { findNode, placeOf, type OpNode } from '../graph/graph.js';
import { inferNode } from '../graph/infer.js';
import { isStatic } from '../ops/dims.js';
import type { Params } from '../ops/op.js';
import { knownOp } from '../ops/known.js';
import { numElements, rowMajorStrides, type Shape } from '../tensor/shape.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Layout } from '../tensor/layout.js';
import type { SlotPlan } from './arena.js';
import { overwritable } from './in-place.js';
import { refusalFor, requireValue } from './kernels.js';
import type { Prepared } from './prepare.js';

/** Type and layout of a value. Equal signatures of one program are one object. */
export interface Signature {
  readonly dtype: ComputedDType;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

export interface Specialized {
  readonly result: Signature;
  readonly work: Work | Seen;
  /** Why the backend cannot make its kernels, where another may. */
  readonly refusal: EinstreamError | undefined;
  /** What the result needs of memory; undefined for a view. */
  readonly plan: SlotPlan | undefined;
  /** Positions of operands that the result may be written over. */
  readonly overwrites: readonly number[];
  /** Nanoseconds that the backend for what is large would save on it, about; 0 where there is no such backend. */
  readonly saving: number;
}

export interface Specializer {
  readonly signatureOf: (type: Signature) => Signature;
  readonly specialize: (node: OpNode, inputs: readonly Signature[]) => Specialized;
}

export function specializer(prepared: Prepared): Specializer {
  const signatures = new Map<string, Signature>();
  const numbers = new Map<Signature, number>();
  const known = new Map<Params, Map<string, Specialized>>();
  const signatureOf = ({ dtype, shape, strides }: Signature): Signature => {
    const key = `${dtype}(${shape.join()};${strides.join()})`;
    let signature = signatures.get(key);
    if (signature === undefined) {
      signatures.set(key, (signature = { dtype, shape, strides }));
      numbers.set(signature, numbers.size);
    }
    return signature;
  };
  return {
    signatureOf,
    specialize(node, inputs) {
      let byKey = known.get(node.params);
      if (byKey === undefined) known.set(node.params, (byKey = new Map<string, Specialized>()));
      let key = node.op;
      for (let k = 0; k < inputs.length; k++) key += ` ${numbers.get(inputs[k])}`;
      let found = byKey.get(key);
      if (found !== undefined) return found;
      const { result, ...rest } = specializeNode(prepared, node, inputs);
      found = { ...rest, result: signatureOf(result) };
      // A refusal names its node, so each node makes its own.
      if (found.refusal === undefined) byKey.set(key, found);
      return found;
    },
  };
}

function specializeNode(prepared: Prepared, node: OpNode, types: readonly Signature[]): Specialized {
  const { dims, dtype } = inferNode(
    node,
    types.map(({ dtype: each, shape }) => ({ dtype: each, dims: shape })),
    (id) => findNode(prepared.graph, id),
  );
  if (dims === undefined || dtype === undefined || !isStatic(dims)) {
    throw fault('E_SHAPE', {
      ...placeOf(node),
      rule: 'feeds of known shape must give a known shape',
      actual: dims === undefined ? 'unknown rank' : `[${dims.map(String).join(', ')}]`,
    });
  }
  const size = numElements(dims);
  const shape = Object.freeze([...dims]);
  const refusal = refusalFor(prepared, node, {
    op: node.op,
    inputs: types.map((type) => type.dtype),
    output: { dims: shape, dtype },
  });
  const { partialSums, maxResults } = prepared.backend.capabilities;
  const made = lower({
    op: knownOp(node.op)!,
    params: node.params,
    inputs: types,
    output: { shape, dtype },
    partialSums,
    maxResults,
  });
  // Middleware may assign any value to a node; elements that a view repeats could not hold it.
  const work = made.kind === 'view' && prepared.isVisible && repeats(made.layout) ? materialize(made.layout, dtype) : made;
  if (work.kind === 'view') {
    return {
      result: { dtype, shape: work.layout.shape, strides: work.layout.strides },
      work,
      refusal: undefined,
      plan: undefined,
      overwrites: [],
      saving: 0,
    };
  }
  // A dtype between steps that the backend lacks is for its compiler to refuse.
  const { dtypes } = prepared.backend.capabilities;
  for (const held of work.temporaries)
    if (dtypes.includes(held.dtype)) requireValue(prepared, node, { dims: held.shape, dtype: held.dtype });
  return {
    result: { dtype, shape, strides: rowMajorStrides(shape) },
    work,
    refusal,
    plan: { shape, dtype, size },
    overwrites: prepared.inPlace === 'safe' ? overwritable(work) : [],
    saving: prepared.larger === undefined ? 0 : savingOf(work, kernelsOf(prepared.backend.capabilities)),
  };
}

const repeats = ({ shape, strides }: Layout): boolean => strides.some((stride, axis) => stride === 0 && shape[axis] > 1);
