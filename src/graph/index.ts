export { bindInputs, type Given } from './bind.js';
export { constant, graph, input, named, param, type Declaration, type GraphSymbol } from './builder.js';
export { canonicalize, equivalent, hash, keyOf } from './canonical.js';
export { compatibleWith, dim, dynamic, rankOf, symbol } from './dimension.js';
export { GRAPH_LIMITS, type GraphLimits, type ParseOptions } from './formats/limits.js';
export { parseGraph } from './formats/parse.js';
export { serializeGraph, type GraphFormat } from './formats/serialize.js';
export {
  findNode,
  isOpNode,
  isValueNode,
  nameOf,
  nodeCount,
  nodeOf,
  nodesOf,
  type ConstantNode,
  type Graph,
  type InputNode,
  type Node,
  type NodeId,
  type OpNode,
  type Output,
  type ParamNode,
} from './graph.js';
export { inferNode, type ValueType } from './infer.js';
export { idOfKey, inputsByName, keysOf } from './keys.js';
export { inferShapes, inferTypes } from './shapes.js';
export { ancestors, consumers, topology, type Topology } from './topology.js';
export { throwIfBroken, validate } from './validate/validate.js';
export { validateOrThrow, validationOf, type Validation, type ValidationStats } from './validation.js';
