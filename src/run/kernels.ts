/**
 * @file The kernels of a node: the backend's own, or `js` ones where it cannot make them and that is allowed.
 */
import { diagnose, EinstreamError, fault, type Diagnostic } from '../errors/index.js';
import type { Kernel } from '../backends/index.js';
import { refused, type Demand, type Held } from '../backends/refusal.js';
import { nodeRefusal, valueRefusal } from '../backends/supports.js';
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
  if (fallback === 'never' || backend.capabilities.asynchronous || error.code === 'E_LIMIT') throw error;
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
  const compiled = (by: typeof backend): readonly Kernel[] =>
    calls.map(({ ir }) => {
      const kernel = withRoom(by, () => by.compile(ir));
      made.push(kernel);
      return kernel;
    });
  let reason = refusal;
  if (reason === undefined) {
    try {
      return compiled(backend);
    } catch (error) {
      // Kernels of an asynchronous backend live in memory that no other backend reads.
      const isFinal = fallback === 'never' || backend.capabilities.asynchronous || backend.name === 'js';
      const failure = error instanceof EinstreamError ? error : uncompiled(node, backend.name, error);
      if (failure.code !== 'E_CODEGEN' || isFinal) throw failure;
      reason = failure;
    }
  }
  notes.push(fallbackNote(node, backend.name, reason));
  return compiled(plainBackend());
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
