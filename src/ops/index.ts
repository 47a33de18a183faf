/**
 * @file Every op, and the evaluator that carries them out on plain tensors.
 */
export { eagerInterpreter, evaluateOp } from './evaluate.js';
export { evaluateScalar } from './evaluate/scalar.js';
export { INTEGER_FUNCTIONS, SCALAR_FUNCTIONS } from './math.js';
