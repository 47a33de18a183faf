/**
 * @file What happens to a sum before it is written: the nest's result over it and over further operands.
 */
import type { NestIR } from '../../../ir.js';
import type { Scalar } from '../../../../ops/scalar.js';
import type { Code } from '../bytes.js';
import type { Local, Scope } from '../module.js';
import type { Target } from '../kernel.js';

export interface Epilogue {
  readonly result: Scalar;
  readonly dtype: NestIR['output']['dtype'];
  readonly count: number;
  readonly target: Target;
}

/** True where the sum is stored as it is. */
export const isPlain = ({ result, dtype }: Epilogue): boolean => result.kind === 'fold' && dtype === 'float32';

/** Code of one vector of results, from a vector of sums and vectors of operands. */
export const emitEpilogue = (_scope: Scope, _epilogue: Epilogue, sum: Local, _operand: (index: number) => Code): Code => sum.get;
