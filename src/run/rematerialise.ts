/**
 * @file `rematerialise`: a graph that computes cheap values again rather than hold them, until a run fits into a limit.
 */
import { fault, humanBytes } from '../errors/index.js';
import { bindInputs } from '../graph/bind.js';
import { findNode, isOpNode, type Graph, type Names, type NodeId } from '../graph/graph.js';
import { givenShapes, inferTypes } from '../graph/shapes.js';
import type { ValueType } from '../graph/infer.js';
import { topology } from '../graph/topology.js';
import { isStatic, type Dims } from '../ops/dims.js';
import { knownOp } from '../ops/known.js';
import { withCopies } from '../passes/rematerialise.js';
import { nodeCost, type ValueSize } from '../plan/cost.js';
import { estimateMemory, type EstimateOptions } from './estimate-memory.js';

/** How the graph will be run, and how much memory that may take. */
export interface RematerialiseOptions extends EstimateOptions {
  /** Bytes, as `estimateMemory` counts them in `peakBytes`. */
  readonly memoryLimit: number;
}

/** Operations an element from which a value is not cheap any more. */
const CHEAP = 64;

/**
 * A graph that computes the same, bit for bit, and holds at most `memoryLimit` bytes while it runs: values that are read late are
 * computed again for their late readers. Where the graph fits as it is, it is given back as it is.
 *
 * Cheap values come first (elementwise ops, reductions, views), contractions where that is not enough. Node ids change, names of
 * values that had one, inputs and outputs do not. It is best given to the graph of a gradient, whose way back reads all that the
 * way there computed; with the level at which it is run, as fusion changes what is held.
 *
 * ```ts
 * const g = graph({ x: input([1000]) }, ({ x }) => ({ y: sum(mul(tanh(sin(x)), sin(mul(exp(tanh(cos(x))), 2)))) }));
 * const grad = gradient(g, { of: 'y', wrt: ['x'] });
 * const { peakBytes } = estimateMemory(grad, {}, { backend: js(), level: 'none' });
 * const less = rematerialise(grad, {}, { backend: js(), level: 'none', memoryLimit: 0.9 * peakBytes });
 * estimateMemory(less, {}, { backend: js(), level: 'none' }).peakBytes <= 0.9 * peakBytes // => true
 * ```
 *
 * @param shapes as `estimateMemory` takes them
 * @throws EinstreamError E_OOM with both numbers where no way was found that fits, E_ARGUMENT for a limit that is no number
 *   above 0, and what `estimateMemory` throws
 */
export function rematerialise<I extends Names, O extends Names>(
  graph: Graph<I, O>,
  shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims>,
  { memoryLimit, ...options }: RematerialiseOptions,
): Graph<I, O> {
  if (!(memoryLimit > 0) || memoryLimit === Infinity)
    throw fault('E_ARGUMENT', { place: 'memoryLimit', rule: 'memoryLimit is a number of bytes above 0', actual: String(memoryLimit) }); // prettier-ignore
  // What is allowed at most is found by trying, and a try must not be refused.
  const estimate = (of: Graph) => estimateMemory(of, shapes, { ...options, memoryLimit: Number.MAX_SAFE_INTEGER });
  const { peakBytes, inputBytes, outputBytes } = estimate(graph);
  if (peakBytes <= memoryLimit) return graph;
  let least = peakBytes;
  const attempts = inputBytes + outputBytes > memoryLimit ? [] : attemptsAt(graph, costsOf(graph, shapes, options));
  for (const attempt of attempts) {
    const tried = attempted(graph, attempt);
    if (tried === undefined) continue;
    const { peakBytes: held } = estimate(tried);
    if (held <= memoryLimit) return tried as Graph<I, O>;
    least = Math.min(least, held);
  }
  throw fault('E_OOM', {
    place: 'rematerialise',
    rule: 'what is computed again must make the graph fit into the limit',
    expected: `at most ${humanBytes(memoryLimit)} (${memoryLimit} bytes)`,
    actual: `${humanBytes(least)} (${least} bytes) at least; ${peakBytes} bytes as it was, ${inputBytes + outputBytes} of them feeds, params and outputs`,
    hint: 'use smaller batches, or allow more',
  });
}

/** Most copies, in nodes of the graph: a way that takes more is too slow to be one. */
const MOST_COPIES = 4;

export interface Attempt {
  readonly chosen: Uint8Array;
  readonly window: number;
}

/** The graph with the copies of an attempt; undefined where there are none, or too many. */
export function attempted(graph: Graph, attempt: Attempt): Graph | undefined {
  const { graph: tried, copied } = withCopies(graph, attempt);
  return copied.length === 0 || copied.length > MOST_COPIES * graph.size ? undefined : tried;
}

/** Ways to choose, the cheapest first: cheap values before all, and the more of them the later. */
export function* attemptsAt(graph: Graph, cost: Float64Array): Iterable<Attempt> {
  const ops = topology(graph).order.filter((id) => isOpNode(findNode(graph, id)!));
  for (const most of [CHEAP, Infinity]) {
    const candidates = ops.filter((id) => cost[id] <= most);
    for (const stride of strides(candidates.length))
      for (const window of new Set([stride, 4 * stride])) {
        // Every so many-th value is kept, and those between are computed from it.
        const chosen = new Uint8Array(graph.size);
        candidates.forEach((id, at) => (chosen[id] = at % stride === 0 ? 0 : 1));
        yield { chosen, window };
      }
  }
}

/** 2, 3, 4, 6, 8, 12 … up to a quarter of `count`. */
function strides(count: number): readonly number[] {
  const result: number[] = [];
  for (let stride = 2; stride <= Math.max(2, count / 4); stride *= 2) result.push(stride, 1.5 * stride);
  return result;
}

/** Operations for each element of each value that an op computes. */
export function costsOf(
  graph: Graph,
  shapes: Readonly<Record<string, Dims>> | ReadonlyMap<string, Dims>,
  { dtype = 'float32', batch }: EstimateOptions,
): Float64Array {
  const given = givenShapes(graph, shapes);
  const inputs = new Map<NodeId, Partial<ValueType>>();
  for (const [id, { dims, dtype: own = dtype }] of bindInputs(graph, given))
    inputs.set(id, {
      dims: dims?.map((dim, axis) => (axis === 0 && typeof dim !== 'number' ? (batch ?? dim) : dim)),
      dtype: own,
    });
  const types = inferTypes(graph, inputs);
  const sizeOf = (id: NodeId): ValueSize | undefined => {
    const { dims, dtype: own } = types[id] ?? {};
    return dims !== undefined && own !== undefined && isStatic(dims) ? { shape: dims, dtype: own } : undefined;
  };
  return Float64Array.from({ length: graph.size }, (_, id) => {
    const node = findNode(graph, id);
    const result = sizeOf(id);
    if (node === undefined || !isOpNode(node) || result === undefined) return Infinity;
    const operands = node.inputs.map(sizeOf);
    if (knownOp(node.op) === undefined || operands.some((operand) => operand === undefined)) return Infinity;
    const { compute } = nodeCost(node, operands as readonly ValueSize[], result);
    return (
      compute /
      Math.max(
        1,
        result.shape.reduce((count, size) => count * size, 1),
      )
    );
  });
}
