/**
 * @file einstream: tensor graphs as RxJS pipelines.
 */
export {
  ERROR_CODES,
  EinstreamError,
  SEVERITIES,
  WARNING_CODES,
  collector,
  diagnostic,
  formatDiagnostic,
  formatError,
  formatErrorLine,
  isTransient,
  highMemory,
  leak,
  nodeFailed,
  outOfMemory,
  shapeMismatch,
  slowOperation,
  typeMismatch,
  type Caret,
  type Diagnostic,
  type DiagnosticCollector,
  type ErrorCode,
  type Severity,
  type SourceLocation,
} from './errors/index.js';
export {
  Tensor,
  arange,
  at,
  ellipsis,
  eye,
  full,
  newaxis,
  ones,
  range,
  reshapeView,
  reversed,
  stride,
  tensor,
  viewBuilder,
  wrap,
  zeros,
  type ComputedDType,
  type DType,
  type NestedArray,
  type Shape,
  type SliceSpec,
  type TensorOptions,
  type TypedArray,
  type ViewBuilder,
} from './tensor/index.js';
// Ops on plain tensors need their interpreter, which sets itself when it is loaded.
export {} from './run/eager.js';
export * from './ops/unary/index.js';
export * from './ops/binary/index.js';
export * from './ops/ternary/index.js';
export * from './ops/reduce/index.js';
export * from './ops/softmax/index.js';
export * from './ops/like/index.js';
export * from './ops/movement/index.js';
export * from './ops/softlogic/index.js';
export { einsum, type EinsumOptions } from './ops/einsum/einsum.js';
export { matmul } from './ops/einsum/matmul.js';
export { dot, outer } from './ops/einsum/dot.js';
export { defineOp, type Op, type OpDefinition } from './ops/op.js';
export { ops } from './ops/registry.js';
export { s, type Scalar } from './ops/scalar.js';
export type { Dim, Dims } from './ops/dims.js';
export { INTERPRETER, type Interpreter, type Operand } from './ops/interpreter.js';
export * from './plan/index.js';
export {
  schedule,
  type CriticalPath,
  type Schedule,
  type ScheduleOptions,
  type SchedulingStrategy,
} from './plan/schedule/index.js';
export { contractionPath, einsumPath, printPath, type ContractionPath, type PathOptions } from './plan/path/index.js';
export {
  GRAPH_LIMITS,
  canonicalize,
  compatibleWith,
  constant,
  dim,
  dynamic,
  equivalent,
  graph,
  hash,
  inferShapes,
  input,
  isOpNode,
  keyOf,
  named,
  nodeCount,
  nodeOf,
  nodesOf,
  param,
  parseGraph,
  rankOf,
  serializeGraph,
  symbol,
  validate,
  validateOrThrow,
  validationOf,
  type ConstantNode,
  type Declaration,
  type Graph,
  type GraphFormat,
  type GraphLimits,
  type GraphSymbol,
  type InputNode,
  type Node,
  type NodeId,
  type OpNode,
  type Output,
  type ParamNode,
  type ParseOptions,
  type Validation,
  type ValidationStats,
} from './graph/index.js';
export {
  environment,
  js,
  summarize,
  supports,
  supportTable,
  type Backend,
  type BackendCapabilities,
  type DeviceMemory,
  type DeviceType,
  type Environment,
  type Exclusion,
  type Feature,
  type JsOptions,
  type Kernel,
  type Support,
  type SupportCell,
  type Unsupported,
  wasm,
  type WasmOptions,
} from './backends/index.js';
export * from './autodiff/index.js';
export type { KernelIR } from './codegen/ir.js';
export {
  analyze,
  chooseLayout,
  eliminateCommonSubexpressions,
  eliminateDeadNodes,
  findFusionOpportunities,
  foldConstants,
  fuse,
  fuseElementwise,
  fuseEpilogues,
  FUSION_COSTS,
  FUSION_PATTERNS,
  fusionCost,
  fusionPlanner,
  inPrecision,
  KERNEL_COSTS,
  type Edit,
  type Fusion,
  type FusionConfig,
  type FusionCost,
  type FusionCostModel,
  type FusionLimits,
  type FusionOpportunity,
  type FusionPattern,
  type FusionPlan,
  type FusionPlanner,
  type FusionStrategy,
  type FusionType,
  type WorkKind,
  type Level,
  type OptimizationResult,
  optimize,
  type Optimized,
  type OptimizeOptions,
  type Pass,
  type PassContext,
  type PassReport,
  revert,
  type Rewrite,
  simplify,
} from './passes/index.js';
export * from './run/index.js';
export * from './stream/index.js';
export * from './observe/index.js';
export * from './resilience/index.js';
export * from './train/index.js';
export {
  executor,
  type AsyncMethods,
  type BatchMethods,
  type CompilationMethods,
  type Execution,
  type Executor,
  type ExecutorOptions,
  type GradientSession,
  type RecoveryMethods,
  type SeedNames,
  type StreamingMethods,
} from './executor.js';
export * from './executor/strategy/index.js';
