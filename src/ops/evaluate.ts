/**
 * @file The eager interpreter: ops on plain tensors compute now, one scalar expression an element.
 *
 * It defines what every op means; `run` replaces it at load by generated kernels that must agree with it.
 */
import { fault } from '../errors/index.js';
import { formatShape } from '../tensor/shape.js';
import { Tensor } from '../tensor/tensor.js';
import { isStatic } from './dims.js';
import { evaluateContraction } from './evaluate/contraction.js';
import { evaluateElementwise } from './evaluate/elementwise.js';
import { evaluateFold } from './evaluate/fold.js';
import { evaluateGather } from './evaluate/gather.js';
import { evaluatePieces } from './evaluate/pieces.js';
import { evaluateView } from './evaluate/view.js';
import type { Job } from './evaluate/job.js';
import { tensorsOf } from './evaluate/operands.js';
import { through, type FusedStep } from './fusedSteps.js';
import { setEagerInterpreter, type Interpreter } from './interpreter.js';
import type { AnyOp, Params } from './op.js';

/** Computes an op on tensors and numbers. */
export const evaluateOp = (op: AnyOp, operands: readonly unknown[], params: Params): Tensor =>
  evaluateJob(readJob(op, operands, params));

/** Operands, dtype and shape of an application. Checks dtypes, then shapes, before anything is computed. */
export function readJob(op: AnyOp, operands: readonly unknown[], params: Params): Job {
  const inputs = tensorsOf(op, operands);
  const dtype = op.dtype(
    inputs.map((input) => input.dtype),
    params,
  );
  const shape = op.shape(
    inputs.map((input) => input.shape),
    params,
    { op: op.name },
  );
  if (shape === undefined || !isStatic(shape)) {
    throw fault('E_SHAPE', {
      op: op.name,
      rule: 'operands of known shape must give a known shape',
      actual: shape === undefined ? 'an unknown rank' : formatShape(shape),
    });
  }
  return { op, inputs, params, dtype, shape };
}

export function evaluateJob(job: Job): Tensor {
  const { op, params, inputs } = job;
  const shapes = inputs.map((input) => input.shape);
  const rule =
    op.exprFor?.(
      params,
      inputs.map((input) => input.dtype),
    ) ?? op.expr;
  if (rule !== undefined) return evaluateElementwise(job, rule);
  // One after another, each stored: what a kernel for all of them must agree with.
  if (op.steps !== undefined) return evaluateSteps(op.steps(params), inputs);
  const folding = op.fold?.(params, shapes, inputs.map((input) => input.dtype)); // prettier-ignore
  if (folding !== undefined) return evaluateFold(job, folding);
  if (op.view !== undefined) return evaluateView(job, op.view);
  if (op.pieces !== undefined) return evaluatePieces(job, op.pieces(params, shapes));
  if (op.gather !== undefined) return evaluateGather(job, op.gather(params, shapes));
  if (op.contract !== undefined) {
    const epilogue = op.epilogue?.(params, inputs.map((input) => input.dtype)); // prettier-ignore
    return evaluateContraction(job, op.contract(params, shapes), epilogue);
  }
  throw fault('E_OP', {
    op: op.name,
    rule: 'a definition must say how it computes',
    expected: 'one of expr, exprFor, fold, view, pieces, gather, contract',
  });
}

const evaluateSteps = (steps: readonly FusedStep[], inputs: readonly Tensor[]): Tensor =>
  through(steps, inputs, (op, args, step) => evaluateOp(op, args, step.params)).at(-1)!;

/** Level 0: acts where no operand is a symbol or a variable. */
export const eagerInterpreter: Interpreter = { level: 0, apply: evaluateOp };

setEagerInterpreter(eagerInterpreter);
