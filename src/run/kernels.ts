/**
 * @file The kernels of a node: the backend's own, or `js` ones where it cannot make them and that is allowed.
 */
import { diagnose, EinstreamError, fault, type Diagnostic } from '../errors/index.js';
import type { Backend, DeviceMemory, Kernel } from '../backends/index.js';
import { refused, type Demand, type Held } from '../backends/refusal.js';
import { nodeRefusal, valueRefusal } from '../backends/supports.js';
import type { KernelIR } from '../codegen/ir.js';
import type { Work } from '../codegen/lower.js';
import { placeOf, type Node, type OpNode } from '../graph/graph.js';
import { plainBackend } from './default-backend.js';
import type { Prepared } from './prepare.js';
import { withRoom } from './room.js';

/** What is no fault but was done otherwise than asked: told once to each subscription's `onDiagnostic`. */
export type Notes = Diagnostic[];

/** @throws EinstreamError E_DTYPE or E_LIMIT when the backend cannot hold a value of this type */
export function requireValue({ backend }: Prepared, node: Node, value: Held): void {
  const found = valueRefusal(backend.capabilities, value);
  if (found !== undefined) throw refused(found.refusal, placeOf(node), found.alternatives);
}

/** Why the backend cannot run the node; undefined when it can. Thrown at once where nothing else may run it. */
export function refusalFor({ backend, fallback }: Prepared, node: OpNode, demand: Demand): EinstreamError | undefined {
  const found = nodeRefusal(backend.capabilities, { ...demand, params: node.params });
  if (found === undefined) return undefined;
  const error = refused(found.refusal, placeOf(node), found.alternatives);
  // Another backend's kernels would not make this backend's memory larger.
  if (fallback === 'never' || !admitsOthers(backend) || error.code === 'E_LIMIT') throw error;
  return error;
}

/** Compiles a node's kernels, each also into `made`, so that whoever gives up can dispose of them. */
export function compileWork(
  { backend, fallback }: Prepared,
  node: OpNode,
  { calls }: Work,
  refusal: EinstreamError | undefined,
  made: Kernel[],
  notes: Notes,
): readonly Kernel[] {
  const { device } = backend;
  const compile = (by: typeof backend, ir: KernelIR): Kernel => {
    const kernel = withRoom(by, () => by.compile(ir));
    made.push(kernel);
    return kernel;
  };
  const compiled = (by: typeof backend): readonly Kernel[] => calls.map(({ ir }) => compile(by, ir));
  let reason = refusal;
  if (reason === undefined) {
    try {
      const own = compiled(backend);
      if (device === undefined || fallback === 'never') return own;
      return own.map((kernel, at) =>
        orOnHost(device, kernel, (failure) => {
          notes.push(fallbackNote(node, backend.name, failure));
          return compile(plainBackend(), calls[at].ir);
        }),
      );
    } catch (error) {
      const isFinal = fallback === 'never' || !admitsOthers(backend) || backend.name === 'js';
      const failure = error instanceof EinstreamError ? error : uncompiled(node, backend.name, error);
      if (failure.code !== 'E_CODEGEN' || isFinal) throw failure;
      reason = failure;
    }
  }
  notes.push(fallbackNote(node, backend.name, reason));
  const others = compiled(plainBackend());
  return device === undefined ? others : others.map((kernel) => onHost(device, kernel));
}

/** Memory of an asynchronous backend that does not say how to reach it is read by no other backend's kernels. */
const admitsOthers = ({ capabilities, device }: Backend): boolean => !capabilities.asynchronous || device !== undefined;

/** A kernel for tensors that may lie on a device: operands come to the host first, and the result stays there. */
const onHost = (device: DeviceMemory, kernel: Kernel): Kernel => ({
  async run(inputs, outputs) {
    await device.fetch([...inputs, ...outputs]);
    outputs.forEach(device.open);
    await kernel.run(inputs, outputs);
  },
  dispose: () => kernel.dispose(),
});

/** Devices compile with the first run. Where one cannot, it turns out then: the host computes, that time and from then on. */
function orOnHost(device: DeviceMemory, kernel: Kernel, otherwise: (failure: EinstreamError) => Kernel): Kernel {
  let instead: Kernel | undefined;
  return {
    async run(inputs, outputs) {
      if (instead === undefined) {
        try {
          return await kernel.run(inputs, outputs);
        } catch (error) {
          if (!(error instanceof EinstreamError && error.code === 'E_CODEGEN')) throw error;
          instead ??= onHost(device, otherwise(error));
        }
      }
      return instead.run(inputs, outputs);
    },
    dispose: () => kernel.dispose(),
  };
}

/** A backend is anybody's code: what it throws bare gets a name and a place. */
const uncompiled = (node: OpNode, name: string, cause: unknown): EinstreamError =>
  fault('E_CODEGEN', {
    ...placeOf(node),
    rule: `backend ${name} must be able to compile the kernel`,
    actual: cause instanceof Error ? cause.message : String(cause),
    cause,
  });

const fallbackNote = (node: OpNode, name: string, reason: EinstreamError): Diagnostic => ({
  ...diagnose('E_BACKEND', {
    ...placeOf(node),
    rule: `backend ${name} cannot run this node: js does`,
    actual: reason.diagnostic.message,
    hint: "run with { fallback: 'never' } to make this an error",
    severity: 'warning',
    cause: reason,
  }),
  code: 'W_FALLBACK',
});
