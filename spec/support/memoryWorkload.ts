/**
 * @file A graph for specs of memory, and a backend whose kernels are counted.
 */
import { js, type Backend, type Kernel } from '../../src/backends/index.js';
import { graph, input, named, param } from '../../src/graph/builder.js';
import type { Graph } from '../../src/graph/graph.js';
import { add, mul } from '../../src/ops/binary/index.js';
import { einsum } from '../../src/ops/einsum/einsum.js';
import { sum } from '../../src/ops/reduce/index.js';
import { exp } from '../../src/ops/unary/index.js';
import { tensor } from '../../src/tensor/create.js';
import type { Tensor } from '../../src/tensor/tensor.js';

/** Intermediate values of several sizes, a param, two outputs. */
export const workload = graph({ x: input(['n', 3]), w: param(tensor([[1], [2], [3]])) }, ({ x, w }) => {
  const h = named('h', exp(mul(x, 0.1)));
  return { y: add(einsum('ni,io->no', h, w), sum(h)), s: sum(mul(h, h), { axis: 0 }) };
}) as Graph;

export const workloadFeed = (n = 2, value = 0.5): { x: Tensor } => ({
  x: tensor(new Float32Array(3 * n).fill(value), { shape: [n, 3] }),
});

export interface CountedKernels {
  readonly backend: Backend;
  /** Compiled and not yet disposed of. */
  readonly kernels: () => number;
  /** Run, or disposed of, after their disposal. */
  readonly misused: () => number;
}

export function countedKernels(inner: Backend = js()): CountedKernels {
  let [kernels, misused] = [0, 0];
  const compile = (ir: Parameters<Backend['compile']>[0]): Kernel => {
    const kernel = inner.compile(ir);
    let isLive = true;
    kernels++;
    return {
      run(inputs, outputs) {
        if (!isLive) misused++;
        return kernel.run(inputs, outputs);
      },
      dispose() {
        if (!isLive) misused++;
        isLive = false;
        kernels--;
        kernel.dispose();
      },
    };
  };
  return { backend: { ...inner, compile }, kernels: () => kernels, misused: () => misused };
}
