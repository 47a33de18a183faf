/**
 * @file Every op, and the evaluator that carries them out on plain tensors.
 */
export * from './binary/index.js';
export * from './einsum/index.js';
export { eagerInterpreter, evaluateOp } from './evaluate.js';
export { evaluateScalar } from './evaluate/scalar.js';
export { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from './math.js';
export * from './like/index.js';
export * from './movement/index.js';
export * from './softlogic/index.js';
export * from './reduce/index.js';
export * from './softmax/index.js';
export * from './ternary/index.js';
export * from './unary/index.js';
export { withGradient } from './with-gradient.js';
