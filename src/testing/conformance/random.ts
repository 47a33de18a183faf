/**
 * @file Random graphs without a library: the same seed gives the same graph everywhere.
 */
import { graph, input, param, type Declaration, type GraphSymbol } from '../../graph/builder.js';
import { broadcastDims } from '../../ops/dims.js';
import { ops } from '../../ops/registry.js';
import type { ComputedDType } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';
import type { Tensor } from '../../tensor/tensor.js';
import { filled, type OpCase } from './cases.js';

/** Integers from 0 below `bound`, from a linear congruence whose high bits are good enough to choose by. */
export function choices(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const UNARY = ['neg', 'abs', 'relu', 'sigmoid', 'tanh', 'square', 'floor', 'sign', 'exp', 'oneMinus'];
const BINARY = ['add', 'sub', 'mul', 'maximum', 'minimum', 'less', 'equal'];
const REDUCE = ['sum', 'mean', 'max', 'any', 'argmax'];
const DTYPES: readonly ComputedDType[] = ['float32', 'float32', 'float64', 'int32', 'bool'];

const dimsOf = (symbol: GraphSymbol): Shape => symbol.dims as Shape;
const call = (name: string, ...args: readonly unknown[]): GraphSymbol => ops[name](...args) as GraphSymbol;

function fit(a: Shape, b: Shape): boolean {
  try {
    broadcastDims([a, b]);
    return true;
  } catch {
    return false;
  }
}

function grow(values: readonly GraphSymbol[], choose: (bound: number) => number): GraphSymbol {
  const pick = <T>(items: readonly T[]): T => items[choose(items.length)];
  const x = pick(values);
  const rank = dimsOf(x).length;
  switch (choose(5)) {
    case 0:
      return call(pick(UNARY), x);
    case 1:
      return call(pick(BINARY), x, pick(values.filter((value) => fit(dimsOf(x), dimsOf(value)))));
    case 2:
      return call(pick(REDUCE), x, { axis: rank === 0 ? null : choose(rank), keepdims: choose(2) === 0 });
    case 3:
      return call('transpose', x, { perm: dimsOf(x).map((_, axis) => rank - 1 - axis) });
    default:
      return call('einsum', `${'abc'.slice(0, rank)}->${'abc'.slice(0, choose(rank + 1))}`, x);
  }
}

/** A graph of about `moves` nodes over small tensors, every dtype, with several outputs and feeds for it. */
export function randomCase(seed: number, moves: number): OpCase {
  const choose = choices(seed);
  const feeds: Record<string, Tensor> = {};
  const declared: Record<string, Declaration> = {};
  for (let at = 0; at < 3; at++) {
    const shape = Array.from({ length: choose(4) }, () => 1 + choose(3));
    const dtype = DTYPES[choose(DTYPES.length)];
    const value = filled(shape, dtype, () => (dtype === 'int32' ? choose(9) - 4 : (choose(17) - 8) / 4));
    declared[`x${at}`] = at === 2 ? param(value) : input(shape, { dtype });
    if (at < 2) feeds[`x${at}`] = value;
  }
  const made = graph(declared, (symbols) => {
    const values: GraphSymbol[] = Object.values(symbols);
    for (let at = 0; at < moves; at++) values.push(grow(values, choose));
    return { y: values[values.length - 1], z: values[3 + choose(moves)], w: values[choose(values.length)] };
  });
  return { graph: made, feeds };
}
