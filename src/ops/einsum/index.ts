export { einsum, type EinsumOptions, type EinsumParams } from './einsum.js';
export { matmul } from './matmul.js';
export { dot, outer } from './dot.js';
export { parseEinsum, type ParsedEinsum, type Term } from './parse.js';
export { resolveEinsum, type Contraction, type LetterSizes, type ResolvedEinsum } from './resolve.js';
