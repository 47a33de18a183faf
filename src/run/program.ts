/**
 * @file A program: a prepared graph specialised to the shapes of its feeds. Kernels in order, buffers planned.
 */
import type { Diagnostic } from '../errors/index.js';
import type { Kernel } from '../backends/index.js';
import type { OpNode } from '../graph/graph.js';
import type { Tensor } from '../tensor/tensor.js';
import { actions, type Action } from './action.js';
import { arenas, type Arenas } from './arena.js';
import { requireBudget } from './compiled.js';
import { compileWork, type Notes } from './kernels.js';
import { footprint, requireRoom, type Footprint } from './footprint.js';
import type { Prepared } from './prepare.js';
import { shareBuffers } from './share.js';
import type { Signature, Specialized } from './specialized.js';
import type { Typed } from './typed.js';

export interface Program {
  readonly prepared: Prepared;
  /** What it was made for: type and layout of each input as it is fed, in order. */
  readonly signature: readonly Signature[];
  /** Params that it was made with: where they come again, there is nothing to compare. */
  readonly defaults: readonly (Tensor | undefined)[];
  /** One for each of `prepared.nodes`. */
  readonly actions: readonly Action[];
  readonly arenas: Arenas;
  /** What a frame holds in all. */
  readonly footprint: Footprint;
  /** For each slot, the slot whose buffer holds its elements: another one for views. */
  readonly homes: Int32Array;
  /** Type and layout of each slot, as kernels see it. */
  readonly types: readonly Signature[];
  /** 1 for inputs, in order, that no kernel reads and that are no output: they stay where they are. */
  readonly unread: Uint8Array;
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

/** Compiles what the nodes have to do. @param notes what was done otherwise than asked before */
export function programOf(typed: Typed, notes: Notes = []): Program {
  const { backend } = typed.prepared;
  const kernels: Kernel[] = [];
  const temporaries: Tensor[] = [];
  const free = (): void => {
    kernels.forEach((kernel) => kernel.dispose());
    temporaries.forEach((tensor) => backend.release?.(tensor));
  };
  try {
    return assembled(typed, [...notes], kernels, temporaries, free);
  } catch (error) {
    free();
    throw error;
  }
}

function assembled(typed: Typed, notes: Notes, kernels: Kernel[], temporaries: Tensor[], free: () => void): Program {
  const { prepared, signature, defaults, types, homes, works } = typed;
  const { slots, slotCount, nodes, backend } = prepared;
  const memory = shareBuffers(typed);
  const { plans, buffers } = memory;
  const held = footprint(typed, memory);
  requireRoom(held, prepared.memoryLimit);
  requireBudget(held.intermediateBytes + held.outputBytes, prepared.memoryBudget, 'memoryBudget');
  const compiled = compiler(prepared, kernels, notes);
  // What middleware sees, and what leaves, is read by the host.
  const read = new Uint8Array(slotCount).fill(prepared.isVisible ? 1 : 0);
  for (const { slot } of prepared.outputs) read[homes[slot]] = 1;
  const action = actions(backend, temporaries, read);
  const ordered = nodes.map((node, at) => {
    const slot = slots[node.id];
    const inputs = node.inputs.map((id) => slots[id]);
    return action(works[at].work, compiled(node, works[at]), inputs, slot);
  });
  const program: Program = {
    prepared,
    signature,
    defaults,
    actions: ordered,
    arenas: arenas(prepared, memory),
    footprint: held,
    unread: unreadInputs(typed),
    fresh: Uint8Array.from(plans, (plan, slot) => (plan !== undefined && buffers[slot] < 0 ? 1 : 0)),
    homes,
    types,
    notes,
    isRetired: false,
    dispose() {
      program.isRetired = true;
      program.arenas.whenUnused(free);
    },
  };
  return program;
}

function unreadInputs({ prepared, homes }: Typed): Uint8Array {
  const { inputs, nodes, outputs, slots, slotCount, isVisible } = prepared;
  const isRead = new Uint8Array(slotCount).fill(isVisible ? 1 : 0);
  for (const node of nodes) for (const id of node.inputs) isRead[slots[id]] = 1;
  for (const { slot } of outputs) isRead[homes[slot]] = isRead[slot] = 1;
  return Uint8Array.from(inputs, ({ slot }) => 1 - isRead[slot]);
}

const NONE: readonly Kernel[] = [];

/** The kernels of each node, the same where nodes do the same. Each is added to `made`, and what is odd but no fault to `notes`. */
function compiler(
  prepared: Prepared,
  made: Kernel[],
  notes: Notes,
): (node: OpNode, specialized: Specialized) => readonly Kernel[] {
  const known = new Map<Specialized, readonly Kernel[]>();
  return (node, specialized) => {
    const { work, refusal } = specialized;
    if (work.kind === 'view') return NONE;
    let kernels = known.get(specialized);
    if (kernels !== undefined) return kernels;
    const noted = notes.length;
    kernels = compileWork(prepared, node, work, refusal, made, notes);
    // A note names its node, so each node makes its own.
    if (notes.length === noted) known.set(specialized, kernels);
    return kernels;
  };
}
