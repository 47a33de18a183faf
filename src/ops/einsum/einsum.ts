/**
 * @file einsum: a sum of products, written as a spec.
 */
import { fault } from '../../errors/index.js';
import { isOperand, type Operand, type ResultOf } from '../interpreter.js';
import { defineOp } from '../op.js';
import { text } from '../params.js';
import { knownOps, type NamedOp } from '../known.js';
import { arithmetic } from '../rules.js';
import { parseEinsum } from './parse.js';
import { resolveEinsum, type LetterSizes } from './resolve.js';
import { letterSizes } from './sizes.js';
import { SHARED } from '../vjp.js';

/** What einsum takes after its operands. */
export interface EinsumOptions {
  /** Sizes of letters that occur only in the output: `einsum('a->ab', x, { sizes: { b: 3 } })` repeats x along b. */
  readonly sizes?: LetterSizes;
}

/** The parameters of the op `einsum`. */
export interface EinsumParams extends EinsumOptions {
  readonly spec: string;
}

const op = defineOp<'any', EinsumParams>({
  name: 'einsum',
  doc: "Sum of products by a spec such as 'ij,jk->ik', NumPy's grammar in full. bool and int32 give int32, which wraps.",
  arity: 'any',
  params: { spec: text, sizes: letterSizes },
  dtype: arithmetic,
  shape: (inputs, { spec, sizes }, place) => resolveEinsum(parseEinsum(spec, place), inputs, sizes, place).output,
  contract: ({ spec, sizes }, inputs) => resolveEinsum(parseEinsum(spec), inputs, sizes).contraction!,
  // Float32 products of long sums: what the order of summation may change.
  tolerance: { relative: 1e-5, absolute: 1e-6 },
  vjp: (dy, inputs, _y, g, { spec }) => g[SHARED].einsum(dy, inputs, spec, g),
  examples: [
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
      params: { spec: 'ij,jk->ik' },
      output: [
        [19, 22],
        [43, 50],
      ],
    },
    {
      inputs: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      params: { spec: 'i,i' },
      output: 32,
    },
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { spec: 'ii->i' },
      output: [1, 4],
    },
    {
      inputs: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      params: { spec: 'ij->ji' },
      output: [
        [1, 3],
        [2, 4],
      ],
    },
    { inputs: [[1, 2], 10], params: { spec: 'i,->i' }, output: [10, 20] },
    {
      inputs: [[1, 2]],
      params: { spec: 'a->ab', sizes: { b: 3 } },
      output: [
        [1, 1, 1],
        [2, 2, 2],
      ],
    },
    {
      inputs: [
        [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
          ],
        ],
        [[1], [1]],
      ],
      params: { spec: '...ij,...jk->...ik' },
      output: [
        [[3], [7]],
        [[11], [15]],
      ],
    },
  ],
});

/**
 * Sum of products along indices: NumPy's `einsum`, its whole grammar.
 *
 * Each operand has a subscript of letters, one an axis; letters that the output lacks are summed. A letter twice in
 * one operand is the diagonal, an empty subscript a scalar, `...` any number of axes aligned at the right. Without an
 * arrow the output is the ellipsis axes, then the letters that occur once. Sizes of 1 stretch across operands.
 * An output without the ellipsis of the operands sums its axes, as torch and JAX do. bool and int32 give int32.
 *
 * ```ts
 * einsum('ij,jk->ik', tensor([[1, 2], [3, 4]]), tensor([[5, 6], [7, 8]])).toArray() // => [[19, 22], [43, 50]]
 * einsum('ii', tensor([[1, 2], [3, 4]])).toArray() // => 5
 * einsum('a->ab', tensor([1, 2]), { sizes: { b: 2 } }).toArray() // => [[1, 1], [2, 2]]
 * ```
 *
 * @param spec such as `'...ij,...jk->...ik'`
 * @param operands tensors, symbols, variables or numbers, one for each subscript; then, if need be, `{ sizes }`
 * @throws EinstreamError E_PARSE, E_SHAPE or E_ARGUMENT with a caret under the letter
 */
export function einsum<A extends readonly Operand[]>(spec: string, ...operands: A): ResultOf<A[number]>;
export function einsum<A extends readonly Operand[]>(
  spec: string,
  ...operands: readonly [...A, EinsumOptions]
): ResultOf<A[number]>;
export function einsum(spec: string, ...args: readonly unknown[]): unknown {
  if (typeof spec !== 'string') {
    throw fault('E_ARGUMENT', {
      op: 'einsum',
      rule: 'the first argument is the spec',
      expected: "a string such as 'ij,jk->ik'",
      actual: typeof spec,
    });
  }
  const last = args.at(-1);
  const named = isOptions(last);
  // As one list, so that an array among the operands is refused and not spread.
  return op((named ? args.slice(0, -1) : args) as readonly Operand[], { ...(named ? last : {}), spec });
}

// A plain object that is no symbol; anything else is left for the op to refuse.
const isOptions = (value: unknown): value is EinsumOptions =>
  typeof value === 'object' &&
  value !== null &&
  !isOperand(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

// By name it also takes the spec among its parameters, as every op does: ops.einsum(...operands, { spec }).
knownOps['einsum'] = Object.assign(
  (...args: readonly unknown[]) =>
    typeof args[0] === 'string'
      ? (einsum as (...all: readonly unknown[]) => unknown)(...args)
      : (op as unknown as NamedOp)(...args),
  { definition: op.definition },
);
