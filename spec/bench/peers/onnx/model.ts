/**
 * @file An ONNX model as bytes. Numbers of fields are those of `onnx.proto`: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import type { Shapes } from '../hosts/host.js';
import { bytes, integer, joined, type Field } from './protobuf.js';

const FLOAT = 1;
const INT64 = 7;

/** An op: `node('MatMul', 'a b', 'y')`. Attributes are integers, or lists of them. */
export function node(op: string, inputs: string, output: string, attributes: Readonly<Record<string, Attribute>> = {}): Field {
  return bytes(1, [
    ...inputs.split(' ').map((name) => bytes(1, name)),
    bytes(2, output),
    bytes(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, [bytes(1, name), ...attribute(value)])),
  ]);
}

type Attribute = number | readonly number[];

const attribute = (value: Attribute): readonly Field[] =>
  typeof value === 'number'
    ? [integer(3, value), integer(20, 2)]
    : [...value.map((each) => integer(8, each)), integer(20, INT64)];

/** A constant of the model: integers where they are a list, a float32 scalar where it is one number. */
export function initial(name: string, value: number | readonly number[]): Field {
  const values = typeof value === 'number' ? Float32Array.of(value) : BigInt64Array.from(value, BigInt);
  const dims = typeof value === 'number' ? [] : [integer(1, value.length)];
  const type = typeof value === 'number' ? FLOAT : INT64;
  return bytes(5, [...dims, integer(2, type), bytes(8, name), bytes(9, new Uint8Array(values.buffer))]);
}

/** `inputs` by name and shape, one output `y`; nodes come in the order of their computation. */
export function model(
  inputs: Shapes,
  output: readonly number[],
  nodes: readonly Field[],
  initials: readonly Field[] = [],
): Uint8Array {
  const graph = [
    ...nodes,
    bytes(2, 'workload'),
    ...initials,
    ...Object.entries(inputs).map(([name, shape]) => bytes(11, value(name, shape))),
    bytes(12, value('y', output)),
  ];
  return joined([integer(1, 7), bytes(7, graph), bytes(8, [bytes(1, ''), integer(2, 13)])]);
}

function value(name: string, shape: readonly number[]): readonly Field[] {
  const dims = shape.map((size) => bytes(1, [integer(1, size)]));
  return [bytes(1, name), bytes(2, [bytes(1, [integer(1, FLOAT), bytes(2, dims)])])];
}
