/**
 * @file Any call of an op, on float64 operands where it is smooth: with slopes that finite differences find.
 */
import fc from 'fast-check';
import type { AnyOp } from '../../src/ops/op.js';
import { numElements } from '../../src/tensor/shape.js';
import { tensorOver, type Tensor } from '../../src/tensor/tensor.js';
import { anyCall, type Call } from './anyCall.js';

/** Where each operand is drawn from: between two bounds, or from both sides of 0 by magnitude. */
type Domain = readonly [low: number, high: number] | 'around';

const positive: readonly Domain[] = [[0.3, 3]];
const inside: readonly Domain[] = [[-0.8, 0.8]];
/** Ops that are not smooth, or not defined, on what others are tried on. */
const DOMAINS: Readonly<Record<string, readonly Domain[]>> = {
  log: positive,
  log2: positive,
  log10: positive,
  sqrt: positive,
  rsqrt: positive,
  log1p: [[-0.6, 2]],
  asin: inside,
  acos: inside,
  atanh: inside,
  acosh: [[1.3, 4]],
  tan: [[-1.2, 1.2]],
  hardsigmoid: [[-4, 4]],
  pow: [[0.3, 3], 'around'],
};

/** Elements of which no two are near each other, nor one near a multiple of ¼, where bends and jumps are. */
export function smoothTensor(like: Pick<Tensor, 'shape'>, domain: Domain, salt: number): Tensor {
  const count = numElements(like.shape);
  const elements = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const turn = ((i + 1) * 0.6180339887498949 + (salt + 1) * 0.5698402909980532) % 1;
    const value = domain === 'around' ? (0.3 + 1.7 * turn) * ((i * 7 + salt) % 3 === 0 ? -1 : 1) : domain[0] + (domain[1] - domain[0]) * turn; // prettier-ignore
    const beside = value * 4 - Math.round(value * 4);
    elements[i] = Math.abs(beside) < 0.02 ? value + 0.01 : value;
  }
  return tensorOver(elements, 'float64', like.shape);
}

/** Indices stay what they are. Calls on nothing are few. */
export const smoothCall = (op: AnyOp): fc.Arbitrary<Call> =>
  fc
    .tuple(anyCall(op), fc.nat(1000))
    .filter(([{ operands }, salt]) => salt % 8 === 0 || operands.every(({ size }) => size > 0))
    .map(([{ operands, params }, salt]) => ({
      op: op.name,
      params,
      operands: operands.map((operand, at) =>
        op.gather !== undefined && at === 1 ? operand : smoothTensor(operand, DOMAINS[op.name]?.[at] ?? 'around', salt + 17 * at),
      ),
    }));
