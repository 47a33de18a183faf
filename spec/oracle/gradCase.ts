/**
 * @file A case of the `grad` family as the engine's own: its graph built with ops, on symbols or on anything else.
 */
import { at, ops, range, tensor, type SliceSpec, type Tensor } from '../../src/index.js';
import type { Operand } from '../../src/ops/interpreter.js';
import { decode, type Case, type CaseNumber } from './corpus.js';

type Params = Readonly<Record<string, unknown>>;
type Call = (args: readonly Operand[], params: Params) => Operand;

const named =
  (name: string, rename: (params: Params) => Params = (params) => params): Call =>
  (args, params) =>
    (ops[name] as (...all: readonly unknown[]) => Operand)(...args, rename(params));

const SPECIAL: Readonly<Record<string, Call>> = {
  const: (_args, { value }) =>
    tensor(
      (Array.isArray(value) ? value : [value]).map((each) => decode(each as CaseNumber)),
      {
        dtype: 'float64',
        ...(Array.isArray(value) ? {} : { shape: [] }),
      },
    ),
  einsum: (args, { spec }) => ops['einsum'](...args, { spec }) as Operand,
  clip: named('clip', ({ lo, hi }) => ({ min: lo, max: hi })),
  slice: named('slice', ({ slices }) => ({
    specs: (slices as readonly (readonly [number | null, number | null, number | null] | number)[]).map((each): SliceSpec =>
      typeof each === 'number' ? at(each) : range(each[0], each[1], each[2] ?? 1),
    ),
  })),
  broadcast: named('broadcastTo'),
  concat: (args, params) => ops['concat'](args, params) as Operand,
};

/** The output of the case's graph for these inputs, by name. */
export function gradOutput(c: Case, inputs: Readonly<Record<string, Operand>>): Operand {
  const { nodes, output } = c.graph!;
  const values = new Map<string, Operand>(Object.entries(inputs));
  for (const { id, op, args, params = {} } of nodes) {
    const call = SPECIAL[op] ?? named(op);
    values.set(
      id,
      call(
        args.map((arg) => values.get(arg)!),
        params,
      ),
    );
  }
  return values.get(output)!;
}

export type Gradients = Readonly<Record<string, Tensor>>;
