/**
 * @file `compile`: a graph is optimised once, and what was done to it is told, before anything runs.
 */
import { nodeCount, type Graph, type Names } from '../../graph/graph.js';
import { inferShapes, inferTypes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { wholeCost } from '../../passes/graph-cost.js';
import { applyPasses, fusionLimits } from '../../passes/index.js';
import { kernelCosts } from '../../plan/kernelCosts.js';
import { levelsOf } from '../../plan/schedule/index.js';
import { asCompiled, compiledOf, requireBudget, type CompiledGraph } from '../compiled.js';
import { defaultBackend } from '../default-backend.js';
import { keptId } from '../prepare.js';
import { retained } from '../run.js';
import { frugalOrder } from './frugal-order.js';
import { plannedBytes } from './memory.js';
import { readCompileOptions, type CompileOptions, type CompileSettings } from './options.js';
import { passesFor } from './passes.js';
import { specializeInputs } from './specialize-inputs.js';
import { statisticsOf } from './statistics.js';
import { summaryOf } from './summary.js';

/**
 * Optimises a graph once, to run it often: `run`, `evaluate` and whatever else takes a graph take the result, and optimise no
 * more. Outputs are those of the graph itself. The graph that is given stays as it is.
 *
 * ```ts
 * const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(neg(exp(x))) }));
 * const compiled = compile(g, { shapes: { x: [2] } });
 * const { nodesBefore, nodesAfter, flopsAfter } = compiled.statistics;
 * [nodesBefore, nodesAfter, flopsAfter] // => [4, 2, 6]
 * evaluateSync(compiled, { x: [0, 1] }).y.toArray() // => [0, 0]
 * evaluateSync(compiled, { x: [0, 1, 2] }) // => throws E_FEED
 * ```
 *
 * @throws EinstreamError E_ARGUMENT for an option outside its range, the first fault of a broken graph, E_SHAPE for sizes that
 *   do not fit it, E_OOM with both numbers where a frame would hold more than `memoryBudget`
 */
export function compile<I extends Names, O extends Names>(graph: Graph<I, O>, options: CompileOptions = {}): CompiledGraph<I, O> {
  const settings = readCompileOptions(options);
  const { level, fastMath, backend, memoryBudget, clock } = settings;
  const start = clock();
  const source = (compiledOf(graph)?.graph ?? graph) as Graph<I, O>;
  throwIfBroken(source);
  const { specialised, optimised, reports } = optimise(source, settings);
  const types = settings.shapeInference || settings.memoryEstimation ? inferTypes(optimised) : [];
  const order = settings.order === 'minimizeMemory' ? frugalOrder(optimised) : undefined;
  const memoryBytes = settings.memoryEstimation ? plannedBytes(optimised, types, order) : undefined;
  if (memoryBytes !== undefined) requireBudget(memoryBytes, memoryBudget, 'memoryBudget');
  const model = kernelCosts((backend ?? defaultBackend()).name);
  const costs = settings.shapeInference
    ? ([wholeCost(specialised, inferTypes(specialised), model), wholeCost(optimised, types, model)] as const)
    : ([undefined, undefined] as const);
  const shapes = settings.shapeInference ? inferShapes(optimised) : new Map<string, never>();
  const schedule = levelsOf(optimised, settings.parallelism ? 'together' : 'one');
  const nodes = [nodeCount(source), nodeCount(optimised)] as const;
  const statistics = statisticsOf({ nodes, costs, model, reports, timeMs: clock() - start, memoryBytes });
  return asCompiled<I, O>(optimised as Graph<I, O>, {
    ...{ source, level, fastMath, backend, memoryBudget },
    ...{ reports, shapes, schedule, order, statistics },
    summary: () => summaryOf({ level, reports, statistics }),
  });
}

function optimise(source: Graph, settings: CompileSettings) {
  const { shapes, keep, use, fastMath, backend = defaultBackend() } = settings;
  const apart = retained(source, use);
  const kept = [...keep.map((name) => keptId(source, name)), ...apart];
  const context = { ...fusionLimits(backend.capabilities), keep: kept, apart, fastMath };
  const first = shapes === undefined ? { graph: source, reports: [] } : applyPasses(source, [specializeInputs(shapes)], context);
  const { graph, reports } = applyPasses(first.graph, passesFor(settings), context);
  return { specialised: first.graph, optimised: graph, reports: Object.freeze([...first.reports, ...reports]) };
}
