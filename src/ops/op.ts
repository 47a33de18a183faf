/**
 * @file What an op is: one record that says everything, and the callable made from it.
 *
 * Exactly one of `expr`, `fold`, `view`, `pieces`, `gather` and `contract` says how it computes; shapes, dtypes and
 * parameters are rules beside it. Backends, docs, the graph formats and the generic spec all read the record.
 */
import { fault } from '../errors/index.js';
import type { ComputedDType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';
import type { Layout } from '../tensor/layout.js';
import type { Dims } from './dims.js';
import type { Scalar } from './scalar.js';
import { interpreterOf, isOperand, type Operand, type ResultOf } from './interpreter.js';
import { readParams, type ParamRules } from './params.js';
import { register } from './known.js';
import type { Contraction } from './einsum/resolve.js';
import type { FusedStep } from './fusedSteps.js';
import type { Vjp } from './vjp.js';

/** Parameters after validation: plain JSON values, numbers may be non-finite. */
export type Params = Readonly<Record<string, unknown>>;

/** Where an op is applied, for errors. */
export interface Place {
  readonly place?: string;
  readonly nodeId?: number;
  readonly op: string;
}

/** The value of one element from the operands’ elements there. */
export type ScalarRule = (x: Scalar, y: Scalar, z: Scalar, ...more: readonly Scalar[]) => Scalar;

/** Associative, with a neutral element; `max` and `min` let NaN win. */
export type Monoid = 'sum' | 'prod' | 'max' | 'min';

/** One run over the folded axes. `value` may read results of earlier folds. */
export interface Fold {
  readonly monoid: Monoid;
  readonly value: (operands: readonly Scalar[], folds: readonly Scalar[]) => Scalar;
  /** What later terms read in its place, from this fold and earlier ones, computed once for each group. */
  readonly finish?: (folds: readonly Scalar[]) => Scalar;
}

/**
 * Reductions, softmax, normalisation: folds over `axes`, one after another, then a result.
 *
 * `emits: 'group'` gives one result for each group (axes dropped, or kept as size 1); `'element'` one for each element
 * (operands beyond the first broadcast against it).
 */
export interface FoldRule {
  readonly axes: readonly number[];
  /** What is folded, where that is not the first operand: all operands broadcast against it. */
  readonly shape?: Shape;
  /** Operands that broadcast against the groups, whose folded axes are dropped, and not against what is folded. */
  readonly besides?: readonly number[];
  readonly folds: readonly Fold[];
  readonly result: (folds: readonly Scalar[], operands: readonly Scalar[]) => Scalar;
  readonly emits: 'group' | 'element';
}

/** A part of the output that one input fills; the rest keeps `fill`. */
export interface Piece {
  readonly input: number;
  /** Where it goes: offset into the row-major output, one index an axis. */
  readonly start: readonly number[];
  /** Elements of the output from one index of the input to the next, one an axis; the output's own by default. */
  readonly strides?: readonly number[];
}

/** What becomes of each element of a contraction before it is written: a kernel of its own less. */
export interface Epilogue {
  /** Positions of the operands that are contracted, in the contraction's order. */
  readonly contracted: readonly number[];
  /** Positions of the operands that `value` reads beside it, which broadcast against the contraction's result. */
  readonly further: readonly number[];
  /** What the contraction gives, and is rounded to before anything reads it. */
  readonly dtype: ComputedDType;
  /** False where dtypes differ so much that one kernel would sum in a wrong one, or slowly: two kernels are then right. */
  readonly isJoint: boolean;
  readonly value: (element: Scalar, further: readonly Scalar[]) => Scalar;
}

export type DTypeRule = (inputs: readonly ComputedDType[], params: Params) => ComputedDType;

export interface Example {
  /** Nested numbers (float32), or tensors as `{ data, dtype }`. */
  readonly inputs: readonly unknown[];
  readonly params?: Params;
  readonly output: unknown;
}

/** All that is known of an op: its name, rules for shape, dtype and parameters, its arithmetic, and examples that are run. */
export interface OpDefinition<N extends Arity, P> {
  /** NumPy's or torch's name, camelCase where several words. */
  readonly name: string;
  readonly doc: string;
  readonly arity: N;
  /** Further names by which `ops` finds it (NumPy's spelling). Lower case, as written. */
  readonly aliases?: readonly string[];
  readonly params?: ParamRules<P>;
  readonly dtype: DTypeRule;
  /** `'storage'`: tensors of storage dtypes too; the definition sees their numbers as float64. */
  readonly reads?: 'storage';
  /** `undefined` inputs have unknown rank; the result may then be undefined too. Throws E_SHAPE. */
  readonly shape: (inputs: readonly (Dims | undefined)[], params: P, place: Place) => Dims | undefined;
  readonly expr?: ScalarRule;
  readonly exprFor?: (params: P, inputs: readonly ComputedDType[]) => ScalarRule;
  /** Undefined where these shapes make no fold of the op’s `steps`. */
  readonly fold?: (params: P, inputs: readonly Shape[], dtypes: readonly ComputedDType[]) => FoldRule | undefined;
  /** With `fold`, for an op that stands for others: what it means, one op after another. */
  readonly steps?: (params: P) => readonly FusedStep[];
  /**
   * The same elements seen differently; undefined where only a copy can do it (the input is then packed first).
   * A layout of another shape than the result's stands for its elements in row-major order: they are packed (tile).
   */
  readonly view?: (input: Layout, params: P, inputs: readonly Shape[]) => Layout | undefined;
  readonly pieces?: (params: P, inputs: readonly Shape[]) => { readonly fill: number; readonly pieces: readonly Piece[] };
  /** Elements of input 0 along `axis` chosen by the integers of input 1. */
  readonly gather?: (params: P, inputs: readonly Shape[]) => { readonly axis: number };
  readonly contract?: (params: P, inputs: readonly Shape[]) => Contraction;
  /** With `contract`, where that is not the whole. */
  readonly epilogue?: (params: P, inputs: readonly ComputedDType[]) => Epilogue;
  /** How it passes a gradient back. Absent: a gradient through it is E_GRADIENT. */
  readonly vjp?: Vjp<P>;
  /** Largest error against float64 that a backend may show in float32, relative and absolute. Default 1e-6, 1e-7. */
  readonly tolerance?: { readonly relative: number; readonly absolute: number };
  /** `'unary'`: f(x) → y pairs of numbers, as `[x, y]`; otherwise full examples. */
  readonly examples: readonly (readonly [number, number] | Example)[];
}

/** 1, 2 or 3 operands, or any number given as an array (concat) or spread (einsum). */
export type Arity = 1 | 2 | 3 | 'any';

/** A definition with its types erased: what interpreters and renderers read. */
export type AnyOp = Omit<OpDefinition<Arity, Params>, 'params'> & {
  readonly params: ParamRules<Params>;
  readonly minInputs: number;
  readonly maxInputs: number;
};

/** An op as a function of operands and, last, one object of parameters. Tensors give a tensor, symbols a symbol. */
export type Op<N extends Arity, P> = { readonly definition: AnyOp } & (N extends 1
  ? <A extends Operand>(x: A, params?: P) => ResultOf<A>
  : N extends 2
    ? <A extends Operand, B extends Operand>(x: A, y: B, params?: P) => ResultOf<A | B>
    : N extends 3
      ? <A extends Operand, B extends Operand = never, C extends Operand = never>(
          x: A,
          y?: B,
          z?: C,
          params?: P,
        ) => ResultOf<A | B | C>
      : <A extends Operand>(operands: readonly A[], params?: P) => ResultOf<A>);

/**
 * Defines an op: registers it under its name and aliases, and returns it as a function of operands and,
 * last, one object of parameters. Ops of arity 3 may name fewer required inputs with `minInputs`.
 *
 * ```ts
 * relu(tensor([-1, 2])).toArray() // => [0, 2]
 * ```
 */
export function defineOp<N extends Arity, P = Record<string, never>>(
  definition: OpDefinition<N, P> & { readonly minInputs?: number },
): Op<N, P> {
  const { arity } = definition;
  const erased = {
    ...definition,
    params: definition.params ?? {},
    minInputs: definition.minInputs ?? (arity === 'any' ? 1 : arity),
    maxInputs: arity === 'any' ? Infinity : arity,
  } as unknown as AnyOp;
  const call = (...args: readonly unknown[]) => applyOp(erased, ...splitArguments(erased, args));
  const op = Object.assign(call, { definition: erased });
  register(erased, op);
  return op as unknown as Op<N, P>;
}

/** Operands first (spread, or one array), then at most one parameters object. */
function splitArguments(op: AnyOp, args: readonly unknown[]): [operands: readonly unknown[], params: unknown] {
  const flat = Array.isArray(args[0]) && op.arity === 'any' ? [...(args[0] as unknown[]), ...args.slice(1)] : args;
  const end = flat.findIndex((arg) => !isOperand(arg));
  if (end < 0) return [flat, undefined];
  const rest = flat.slice(end).filter((arg) => arg !== undefined);
  if (rest.length > 1 || (rest.length === 1 && (typeof rest[0] !== 'object' || rest[0] === null || Array.isArray(rest[0])))) {
    throw fault('E_ARGUMENT', {
      op: op.name,
      rule: 'operands are tensors, symbols, variables or numbers, followed by at most one object of parameters',
      actual: Array.isArray(rest[0]) ? 'an array (wrap it: tensor([...]))' : typeof rest[0],
      hint: 'wrap nested arrays with tensor(…)',
    });
  }
  return [flat.slice(0, end), rest[0]];
}

/** Applies an op by its definition: counts operands, reads parameters, dispatches. */
export function applyOp(
  op: AnyOp,
  operands: readonly unknown[],
  params: unknown,
): ReturnType<ReturnType<typeof interpreterOf>['apply']> {
  if (operands.length < op.minInputs || operands.length > op.maxInputs) {
    throw fault('E_ARGUMENT', {
      op: op.name,
      rule: 'the number of operands must fit',
      expected: op.minInputs === op.maxInputs ? String(op.minInputs) : `${op.minInputs} to ${op.maxInputs}`,
      actual: String(operands.length),
    });
  }
  return interpreterOf(operands as readonly Operand[]).apply(
    op,
    operands as readonly Operand[],
    readParams(op, params, { op: op.name }),
  );
}
