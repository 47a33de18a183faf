/**
 * @file A process that computes under a ceiling: what it may, what it may not, and how much memory it had at most. In bytes.
 */
import { EinstreamError, estimateMemory, evaluateSync, graph, gradient, input, js, rematerialise, sin, sum, wrap, type GraphSymbol } from '../../../src/index.js'; // prettier-ignore

const CEILING = 96 * 2 ** 20;
const SIZE = 2 ** 20; // 4 MiB a value

/** A gradient whose way back reads all 50 values of the way there: twice the ceiling. */
const model = gradient(
  graph({ x: input([SIZE]) }, ({ x }) => {
    let y: GraphSymbol = x;
    for (let at = 0; at < 50; at++) y = sin(y);
    return { y: sum(y) };
  }),
  { of: 'y', wrt: ['x'] },
);
const options = { backend: js(), level: 'none', memoryLimit: CEILING } as const;
const peak = (): number => process.resourceUsage().maxRSS * 1024;

const start = peak();
const needed = estimateMemory(model, {}, { ...options, memoryLimit: Number.MAX_SAFE_INTEGER }).peakBytes;
let refused: string | undefined;
let said = '';
try {
  evaluateSync(model, { x: wrap(new Float32Array(SIZE)) }, options);
} catch (error) {
  if (!(error instanceof EinstreamError)) throw error;
  refused = error.code;
  said = error.message;
}
const whenRefused = peak() - start;
const less = rematerialise(model, {}, options);
const outputs = evaluateSync(less, { x: wrap(new Float32Array(SIZE)) }, options);
console.log(
  JSON.stringify({
    ceiling: CEILING,
    needed,
    refused,
    said,
    whenRefused,
    whenRun: peak() - start,
    right: outputs['x'].data[0] === 1,
  }),
);
