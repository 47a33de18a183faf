/**
 * @file What a rule for gradients reads: found by applying it once to symbols, and looking at what its result is made of.
 */
import { graph, input, type GraphSymbol } from '../graph/builder.js';
import { ancestors } from '../graph/topology.js';
import type { AnyOp, Params } from '../ops/op.js';
import { gradientOps } from './gradient-ops.js';
import { isComputed, type DType } from '../tensor/dtype.js';
import type { Shape } from '../tensor/shape.js';

/** Of each operand, then of the result: 1 where the rule reads its elements. */
export type Needs = readonly boolean[];

interface Typed {
  readonly dtype: DType;
  readonly shape: Shape;
}

const known = new Map<string, Needs>();
/** Structures that are remembered; a program has few. */
const MOST = 4096;

/** Everything where the op has no rule: its absence is an error of the way back, not of this one. */
export function needsOf(op: AnyOp, params: Params, inputs: readonly Typed[], output: Typed): Needs {
  const key = `${op.name} ${JSON.stringify(params)} ${inputs.map(({ dtype, shape }) => `${dtype}${shape.join()}`).join(' ')}`;
  let needs = known.get(key);
  if (needs === undefined) {
    if (known.size >= MOST) known.clear();
    known.set(key, (needs = find(op, params, inputs, output)));
  }
  return needs;
}

function find(op: AnyOp, params: Params, inputs: readonly Typed[], output: Typed): Needs {
  const all = [...inputs, output];
  if (op.vjp === undefined || !all.every(({ dtype }) => isComputed(dtype))) return all.map(() => true);
  const declared = Object.fromEntries(
    [...all, output].map(({ dtype, shape }, k) => [`v${k}`, input(shape, { dtype: dtype as 'float32' })]),
  );
  const { vjp } = op;
  const rule = graph(declared, (symbols) => {
    const values = all.map((_, k) => symbols[`v${k}`]);
    const passed = vjp(symbols[`v${all.length}`], values.slice(0, -1), values.at(-1)!, gradientOps, params);
    return Object.fromEntries(passed.flatMap((each, k) => (each === undefined ? [] : [[`d${k}`, each as GraphSymbol]])));
  });
  const reads = ancestors(rule, rule.outputs.map(({ id }) => id)); // prettier-ignore
  return all.map((_, k) => reads[rule.inputs[k]] === 1);
}
