/**
 * @file A program: a prepared graph specialised to the shapes of its feeds. Kernels in order, buffers planned.
 */
import { EinstreamError, type Diagnostic } from '../errors/index.js';
import type { Kernel } from '../backends/index.js';
import { bindInputs } from '../graph/bind.js';
import type { NodeId } from '../graph/graph.js';
import type { ValueType } from '../graph/infer.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import { actions, type Action } from './action.js';
import { arenas, type Arenas, type SlotPlan } from './arena.js';
import { requireValue, type Notes } from './kernels.js';
import type { Prepared } from './prepare.js';
import { shareBuffers } from './share.js';
import { specializer, type Signature } from './specialized.js';

export interface Program {
  readonly prepared: Prepared;
  /** What the kernels were made for: type and layout of each input, in order. */
  readonly signature: readonly Signature[];
  /** Params that it was made with: where they come again, there is nothing to compare. */
  readonly defaults: readonly (Tensor | undefined)[];
  /** One for each of `prepared.nodes`. */
  readonly actions: readonly Action[];
  readonly arenas: Arenas;
  /** For each slot, the slot whose buffer holds its elements: another one for views. */
  readonly homes: Int32Array;
  /** Type and layout of each slot. */
  readonly types: readonly Signature[];
  /** 1 for slots whose tensor is allocated anew for each frame. */
  readonly fresh: Uint8Array;
  /** What was done otherwise than asked. */
  readonly notes: readonly Diagnostic[];
  /** Set when the cache lets the program go: frames that are on their way still finish, others take a new one. */
  isRetired: boolean;
  /** Retires the program, and disposes of its kernels when nothing uses them. */
  readonly dispose: () => void;
}

/** True when the program was made for tensors like these, and may still be used. */
export function fits(program: Program, tensors: readonly Tensor[]): boolean {
  const { signature, defaults } = program;
  if (program.isRetired) return false;
  for (let i = 0; i < signature.length; i++) {
    const tensor = tensors[i];
    if (tensor === defaults[i]) continue;
    const expected = signature[i];
    if (
      tensor.dtype !== expected.dtype ||
      !sameNumbers(tensor.shape, expected.shape) ||
      !sameNumbers(tensor.strides, expected.strides)
    )
      return false;
  }
  return true;
}

export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const keyOf = (tensors: readonly Tensor[]): string =>
  tensors.map(({ dtype, shape, strides }) => `${dtype}(${shape.join()};${strides.join()})`).join();

/** The program for these feeds, from the cache or made now. */
export function specialize(prepared: Prepared, tensors: readonly Tensor[]): Program {
  const key = keyOf(tensors);
  return prepared.programs.get(key) ?? prepared.programs.set(key, build(prepared, tensors));
}

function build(prepared: Prepared, tensors: readonly Tensor[]): Program {
  const kernels: Kernel[] = [];
  try {
    return buildWith(prepared, tensors, kernels);
  } catch (error) {
    for (const kernel of kernels) kernel.dispose();
    throw error;
  }
}

function buildWith(prepared: Prepared, tensors: readonly Tensor[], kernels: Kernel[]): Program {
  const { slots, slotCount, nodes, backend } = prepared;
  const notes: Notes = [];
  const { signatureOf, specialize: specializeNode } = specializer(prepared, kernels, notes);
  const types = new Array<Signature>(slotCount);
  const homes = Int32Array.from(types, (_, slot) => slot);
  const plans = new Array<SlotPlan | undefined>(slotCount).fill(undefined);
  bindFeeds(prepared, tensors);
  prepared.inputs.forEach(({ slot, node }, i) => {
    const { shape: dims, dtype } = tensors[i];
    requireValue(prepared, node, { dims, dtype });
    types[slot] = signatureOf(tensors[i] as Signature);
  });
  for (const { slot, value } of prepared.constants) types[slot] = signatureOf(value as Signature);
  const temporaries: Tensor[] = [];
  const action = actions(backend, temporaries);
  const typeOf = (slot: number): Signature => types[slot];
  const overwrites: (readonly number[])[] = [];
  const ordered = nodes.map((node) => {
    const inputs = node.inputs.map((id) => slots[id]);
    const slot = slots[node.id];
    const { result, work, kernels: own, plan, overwrites: over } = specializeNode(node, inputs.map(typeOf));
    overwrites.push(over);
    types[slot] = result;
    plans[slot] = plan;
    if (plan === undefined) homes[slot] = homes[inputs[0]];
    return action(work, own, inputs, slot);
  });
  const buffers = shareBuffers(prepared, plans, homes, overwrites);
  const program: Program = {
    prepared,
    signature: tensors.map((tensor) => signatureOf(tensor as Signature)),
    defaults: prepared.inputs.map(({ value }, i) => (tensors[i] === value ? value : undefined)),
    actions: ordered,
    arenas: arenas(prepared, plans, buffers),
    fresh: Uint8Array.from(plans, (plan, slot) => (plan !== undefined && buffers[slot] < 0 ? 1 : 0)),
    homes,
    types,
    notes,
    isRetired: false,
    dispose() {
      program.isRetired = true;
      program.arenas.whenUnused(() => {
        kernels.forEach((kernel) => kernel.dispose());
        temporaries.forEach((tensor) => backend.release?.(tensor));
      });
    },
  };
  return program;
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
