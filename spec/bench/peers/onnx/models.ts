/**
 * @file The workloads as ONNX models, opset 13. All operands are inputs of the model.
 */
import type { Shapes } from '../hosts/host.js';
import { initial, model, node } from './model.js';

type Make = (shapes: Shapes) => Uint8Array;

const product: Make = (shapes) => model(shapes, shapes.a, [node('MatMul', 'a b', 'y')]);

const chain: Make = (shapes) =>
  model(
    shapes,
    shapes.x,
    [
      node('Mul', 'x factor', 't1'),
      node('Add', 't1 shift', 't2'),
      node('Sigmoid', 't2', 't3'),
      node('Tanh', 't3', 't4'),
      node('Relu', 't4', 't5'),
      node('Exp', 't5', 't6'),
      node('Min', 't6 most', 't7'),
      node('Add', 't7 half', 'y'),
    ],
    [initial('factor', 1.5), initial('shift', 0.25), initial('most', 2), initial('half', 0.5)],
  );

const sumOver =
  (axis: number): Make =>
  (shapes) =>
    model(shapes, [shapes.x[1 - axis]], [node('ReduceSum', 'x axes', 'y', { keepdims: 0 })], [initial('axes', [axis])]);

const perceptron: Make = (shapes) =>
  model(
    shapes,
    [shapes.x[0], 10],
    [
      node('Gemm', 'x w1 b1', 't1'),
      node('Relu', 't1', 't2'),
      node('Gemm', 't2 w2 b2', 't3'),
      node('Relu', 't3', 't4'),
      node('Gemm', 't4 w3 b3', 't5'),
      node('Softmax', 't5', 'y', { axis: -1 }),
    ],
  );

const rounds = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

const tiny: Make = (shapes) =>
  model(shapes, shapes.x, [
    ...rounds(3).flatMap((i) => [
      node('Mul', `${i === 0 ? 'x' : `r${i}`} a`, `m${i}`),
      node('Add', `m${i} b`, `s${i}`),
      node('Relu', `s${i}`, `r${i + 1}`),
    ]),
    node('Add', 'r3 a', 'y'),
  ]);

const closure: Make = (shapes) =>
  model(
    shapes,
    shapes.r,
    rounds(8).flatMap((i) => {
      const from = i === 0 ? 'r' : `r${i}`;
      return [
        node('MatMul', `${from} ${from}`, `m${i}`),
        node('Min', `m${i} one`, `s${i}`),
        node('Max', `${from} s${i}`, i === 7 ? 'y' : `r${i + 1}`),
      ];
    }),
    [initial('one', 1)],
  );

export const models: Readonly<Record<string, Make>> = {
  mm64: product,
  mm256: product,
  mm512: product,
  mm1024: product,
  attn: (shapes) =>
    model(shapes, [4, 8, 128, 128], [node('Transpose', 'k', 't', { perm: [0, 1, 3, 2] }), node('MatMul', 'q t', 'y')]),
  ein3: (shapes) =>
    model(
      shapes,
      [64, 64],
      [
        node('Unsqueeze', 'b second', 't1'),
        node('Unsqueeze', 'c first', 't2'),
        node('Mul', 't1 t2', 't3'),
        node('Reshape', 't3 tall', 't4'),
        node('Reshape', 'a wide', 't5'),
        node('MatMul', 't5 t4', 'y'),
      ],
      [initial('second', [1]), initial('first', [0]), initial('tall', [4096, 64]), initial('wide', [64, 4096])],
    ),
  join3: (shapes) => model(shapes, [256, 256], [node('MatMul', 'a b', 't'), node('MatMul', 't c', 'y')]),
  ew1m: chain,
  ew10m: chain,
  red0: sumOver(0),
  red1: sumOver(1),
  redall: (shapes) => model(shapes, [1, 1], [node('ReduceSum', 'x axes', 'y', { keepdims: 1 })], [initial('axes', [0, 1])]),
  redmax: (shapes) => model(shapes, [1, 1], [node('ReduceMax', 'x', 'y', { axes: [0, 1], keepdims: 1 })]),
  softmax: (shapes) => model(shapes, shapes.x, [node('Softmax', 'x', 'y', { axis: -1 })]),
  perm: (shapes) => model(shapes, shapes.x, [node('Transpose', 'x', 'y', { perm: [2, 1, 0] })]),
  mlp1: perceptron,
  mlp64: perceptron,
  tiny,
  closure,
};
