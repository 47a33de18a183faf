/**
 * @file Short ways to write interchange JSON in specs.
 */
export interface InterchangeNode {
  readonly op: unknown;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly metadata?: unknown;
}

export interface Interchange {
  readonly tensors: readonly string[];
  readonly nodes: readonly InterchangeNode[];
  readonly inputs?: readonly number[];
  readonly outputs: readonly number[];
  readonly [key: string]: unknown;
}

export const einsumNode = (spec: string, inputs: readonly number[], ...outputs: readonly number[]): InterchangeNode => ({
  op: { Einsum: { spec } },
  inputs,
  outputs,
});
export const unary = (op: string, x: number, ...outputs: readonly number[]): InterchangeNode => ({
  op: { ElemUnary: { op } },
  inputs: [x],
  outputs,
});
export const binary = (op: string, x: number, y: number, ...outputs: readonly number[]): InterchangeNode => ({
  op: { ElemBinary: { op } },
  inputs: [x, y],
  outputs,
});
export const reduce = (
  op: string,
  axes: readonly number[] | undefined,
  x: number,
  ...outputs: readonly number[]
): InterchangeNode => ({ op: { Reduce: { op, axes } }, inputs: [x], outputs });

/** The text of a graph; `inputs` are left empty where not given. */
export const interchange = (graph: Interchange): string => JSON.stringify({ inputs: [], ...graph });

/** A chain of `length` relu nodes from `x`, as the text of a large graph is: without white space. */
export function chainText(length: number): string {
  const parts = ['{"tensors":["x"'];
  for (let i = 1; i <= length; i++) parts.push(`,"t${i}"`);
  parts.push('],"nodes":[');
  for (let i = 0; i < length; i++)
    parts.push(`${i === 0 ? '' : ','}{"op":{"ElemUnary":{"op":"relu"}},"inputs":[${i}],"outputs":[${i + 1}]}`);
  parts.push(`],"inputs":[0],"outputs":[${length}]}`);
  return parts.join('');
}
