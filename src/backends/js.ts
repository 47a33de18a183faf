/**
 * @file The `js` backend: kernels are JavaScript functions, generated where that is allowed, interpreted elsewhere.
 *
 * The reference of all backends: float64 accumulation, one rounding a stored value.
 */
import { describeValue, fault } from '../errors/index.js';
import { COMPUTED_DTYPES } from '../tensor/dtype.js';
import type { MemoryPool } from '../plan/memory-pool.js';
import { reserveArray, reserveFrom } from './reserve.js';
import { allocateTensor, type Tensor } from '../tensor/tensor.js';
import { MAX_ELEMENTS, MAX_RANK } from '../tensor/shape.js';
import { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from '../ops/math.js';
import { outOfRange } from '../codegen/gather.js';
import { canGenerate, generate } from '../codegen/generate.js';
import { interpret, type KernelFunction } from '../codegen/interpret.js';
import type { KernelIR } from '../codegen/ir.js';
import { renderJs } from '../codegen/render/js.js';
import type { Backend, Kernel } from './backend.js';
import { leastRecentlyUsed } from './lru.js';

/** How the `js` backend makes its kernels. */
export interface JsOptions {
  /** `generate` makes functions from source, `interpret` never does. By default the first where it is allowed. */
  readonly kernels?: 'generate' | 'interpret';
  /** Most generated functions kept for reuse; the least recently used goes first. */
  readonly cacheSize?: number;
  /**
   * Where intermediate values of frames lie, together with whatever else uses the pool: each frame takes one piece of it and gives it
   * back at its end, or when its run is unsubscribed from. Values that middleware sees, and outputs, are arrays of their own.
   */
  readonly pool?: MemoryPool;
}

const FUNCTIONS = {
  unary: SCALAR_FUNCTIONS.unary,
  binary: SCALAR_FUNCTIONS.binary,
  integer: INTEGER_FUNCTIONS.binary,
  outOfRange,
};

/**
 * A backend in plain JavaScript, synchronous, on every engine.
 *
 * Under a Content-Security-Policy without `unsafe-eval` it interprets instead of generating, with the same results, and
 * says so in `capabilities.remarks`.
 *
 * ```ts
 * evaluateSync(graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) })), { x: [-1, 2] }, { backend: js() }).y.toArray() // => [0, 2]
 * ```
 *
 * ```ts
 * const pool = memoryPool();
 * const g = graph({ x: input([600]) }, ({ x }) => ({ y: sum(softmax(exp(softmax(x)))) }));
 * of(1, 2, 3).pipe(map((n) => ({ x: new Float32Array(600).fill(n) })), run(g, { backend: js({ pool }) })).subscribe();
 * [pool.stats().allocations, pool.stats().reuses, pool.stats().live] // => [3, 2, 0]
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for options outside their range, E_BACKEND when `kernels: 'generate'` is not allowed here
 */
export function js(options: JsOptions = {}): Backend {
  const { kernels, cacheSize, pool } = readOptions(options);
  const functions = leastRecentlyUsed<string, KernelFunction>(cacheSize);
  const generated = (ir: KernelIR): KernelFunction => {
    const source = renderJs(ir);
    return functions.get(source) ?? functions.set(source, generate(source, FUNCTIONS) as KernelFunction);
  };
  const make = kernels === 'generate' ? generated : interpret;
  return Object.freeze<Backend>({
    name: 'js',
    capabilities: Object.freeze({
      name: 'js',
      version: '1',
      devices: [{ type: 'CPU', index: 0 }] as const,
      dtypes: COMPUTED_DTYPES,
      features: kernels === 'generate' ? (['CodeGeneration'] as const) : [],
      maxDims: MAX_RANK,
      maxTensorBytes: MAX_ELEMENTS * Float64Array.BYTES_PER_ELEMENT,
      maxFusedNodes: 128,
      maxResults: 8,
      asynchronous: false,
      remarks:
        kernels === 'generate' ? [] : ['kernels are interpreted, because code generation is forbidden here or was switched off'],
    }),
    compile: (ir: KernelIR): Kernel => ({ run: make(ir), dispose: () => undefined }),
    allocate: allocateTensor,
    placing: {
      alignment: 8,
      padding: 0,
      reserve: pool === undefined ? reserveArray : (bytes) => reserveFrom(pool, bytes),
      isShared: pool !== undefined,
    },
    upload: (tensor: Tensor) => tensor,
    close: () => Promise.resolve(),
  });
}

const KNOWN = ['kernels', 'cacheSize', 'pool'];

function readOptions(options: JsOptions): Required<Omit<JsOptions, 'pool'>> & Pick<JsOptions, 'pool'> {
  if (typeof options !== 'object' || options === null) {
    throw fault('E_ARGUMENT', { place: 'js', rule: 'options are one object', actual: describeValue(options) });
  }
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) {
    throw fault('E_ARGUMENT', {
      place: 'js',
      rule: 'an option must be known',
      expected: KNOWN.join(', '),
      actual: describeValue(unknown),
    });
  }
  const { kernels = canGenerate() ? 'generate' : 'interpret', cacheSize = 1000, pool } = options;
  if (kernels !== 'generate' && kernels !== 'interpret') {
    throw fault('E_ARGUMENT', {
      place: 'js',
      rule: 'kernels are generated or interpreted',
      expected: "'generate' or 'interpret'",
      actual: describeValue(kernels),
    });
  }
  if (!Number.isSafeInteger(cacheSize) || cacheSize < 0) {
    throw fault('E_ARGUMENT', { place: 'js', rule: 'cacheSize must be an integer ≥ 0', actual: describeValue(cacheSize) });
  }
  if (kernels === 'generate' && !canGenerate()) {
    throw fault('E_BACKEND', {
      place: 'js',
      rule: 'this page forbids generated code',
      hint: "leave `kernels` out, or use 'interpret'",
    });
  }
  if (pool !== undefined && !isPool(pool))
    throw fault('E_ARGUMENT', { place: 'js', rule: 'pool is what memoryPool() gives', actual: describeValue(pool) });
  return { kernels, cacheSize, pool };
}

const isPool = (pool: unknown): pool is MemoryPool =>
  typeof pool === 'object' && pool !== null && 'allocate' in pool && 'deallocate' in pool;
