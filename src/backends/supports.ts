/**
 * @file What of a graph a backend runs, asked before anything runs.
 */
import { fault, type Diagnostic, type Fault } from '../errors/index.js';
import { findNode, isOpNode, placeOf, type Graph, type NodeId } from '../graph/graph.js';
import { inferTypes } from '../graph/shapes.js';
import { topology } from '../graph/topology.js';
import { throwIfBroken } from '../graph/validate/validate.js';
import { plainOps, type PlainOp } from '../ops/fused.js';
import { isGroup } from '../ops/fusedSteps.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Backend, BackendCapabilities } from './backend.js';
import { js } from './js.js';
import { refusalOf, refusalOfValue, refused, type Demand, type Held, type Refusal } from './refusal.js';

/** A node that a backend cannot run, and why. */
export interface Unsupported {
  readonly nodeId: NodeId;
  readonly op: string;
  /** `E_OP`, `E_DTYPE` or `E_LIMIT`, with both values and a way out. */
  readonly diagnostic: Diagnostic;
  /** Names of backends that can. */
  readonly alternatives: readonly string[];
}

/** What a backend makes of a graph. */
export interface Support {
  /** Every node runs natively. */
  readonly isFull: boolean;
  /** Ids of the nodes that run natively, in order of execution. */
  readonly native: readonly NodeId[];
  readonly unsupported: readonly Unsupported[];
}

/**
 * Says which nodes of a graph a backend runs itself, and of each other node why not and who could.
 *
 * Shapes and dtypes that only a feed decides are taken to fit; `run` checks them when the feed arrives.
 *
 * ```ts
 * supports(js(), graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) }))).isFull // => true
 * ```
 *
 * @throws EinstreamError the first fault of a broken graph
 */
export function supports(backend: Backend, graph: Graph): Support {
  checkBackend(backend);
  throwIfBroken(graph);
  const types = inferTypes(graph);
  const native: NodeId[] = [];
  const unsupported: Unsupported[] = [];
  for (const id of topology(graph).order) {
    const node = findNode(graph, id)!;
    const type = types[id]!;
    const found = isOpNode(node)
      ? nodeRefusal(backend.capabilities, {
          op: node.op,
          params: node.params,
          inputs: node.inputs.map((input) => types[input]!.dtype),
          output: type,
        })
      : valueRefusal(backend.capabilities, type);
    if (found === undefined) native.push(id);
    else unsupported.push({ nodeId: id, op: node.op, ...explained(found, placeOf(node)) });
  }
  return { isFull: unsupported.length === 0, native, unsupported };
}

/** A refusal, and the backends that would not refuse. */
export interface Explained {
  readonly refusal: Refusal;
  readonly alternatives: readonly string[];
}

export const explained = ({ refusal, alternatives }: Explained, place: Partial<Fault>) => ({
  diagnostic: refused(refusal, place, alternatives).diagnostic,
  alternatives,
});

/** Why a backend cannot run a node; a fused one is as good as the ops in it. */
export function nodeRefusal(
  capabilities: BackendCapabilities,
  node: Demand & { readonly params: Readonly<Record<string, unknown>> },
): Explained | undefined {
  const demands = isGroup(node.op)
    ? plainOps(node.params, node.inputs as readonly (ComputedDType | undefined)[]).map(asDemand(node.output))
    : [node];
  return withAlternatives(capabilities, (other) => first(demands, (demand) => refusalOf(other, demand)));
}

const asDemand =
  ({ dims }: Held) =>
  ({ op, inputs, output }: PlainOp): Demand => ({ op, inputs, output: { dims, dtype: output } });

export const valueRefusal = (capabilities: BackendCapabilities, value: Held): Explained | undefined =>
  withAlternatives(capabilities, (other) => refusalOfValue(other, value));

function withAlternatives(
  own: BackendCapabilities,
  ask: (capabilities: BackendCapabilities) => Refusal | undefined,
): Explained | undefined {
  const refusal = ask(own);
  if (refusal === undefined) return undefined;
  const others = own.name === 'js' ? [] : [js().capabilities];
  return { refusal, alternatives: others.filter((other) => ask(other) === undefined).map(({ name }) => name) };
}

function first<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function checkBackend(backend: unknown): asserts backend is Backend {
  const { name, capabilities, compile, allocate, upload, close } = (backend ?? {}) as Partial<Backend>;
  const isWhole =
    typeof name === 'string' &&
    typeof capabilities === 'object' &&
    [compile, allocate, upload, close].every((each) => typeof each === 'function');
  if (isWhole) return;
  throw fault('E_ARGUMENT', {
    place: 'backend',
    rule: 'a backend has a name, capabilities, compile, allocate, upload and close',
    actual: backend instanceof Promise ? 'a promise' : typeof backend,
    hint: backend instanceof Promise ? 'await it' : 'use js()',
  });
}
