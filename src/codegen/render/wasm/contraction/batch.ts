/**
 * @file Axes that repeat a product: plain loops that move every tensor's address.
 */
import type { NestIR } from '../../../ir.js';
import type { Code } from '../bytes.js';
import { i32 } from '../instructions.js';
import type { Local, Scope } from '../module.js';
import { advance, each, type WordList } from './control.js';
import { bytesOf } from './lines.js';

/** Code that runs `body` for each index of `axes`; the body is given the address of each input, then of the output. */
export function overBatch(ir: NestIR, axes: readonly number[], words: WordList) {
  const accesses = [...ir.inputs, ir.output];
  const loops = axes.map((axis) => ({
    extent: words.put(ir.extents[axis]),
    moves: accesses.map(({ strides, dtype }) => words.put(strides[axis] * bytesOf(dtype))),
  }));
  return (scope: Scope, body: (bases: readonly Local[]) => Code): Code => {
    const bases = accesses.map(() => scope.local('i32'));
    const nested = loops.reduceRight<Code>((inner, { extent, moves }) => {
      const index = scope.local('i32');
      return [
        each(
          index,
          i32.const(0),
          extent,
          i32.const(1),
          inner,
          bases.map((base, k) => advance(base, moves[k])),
        ),
        bases.map((base, k) => base.set(i32.sub(base.get, i32.mul(moves[k], extent)))),
      ];
    }, body(bases));
    return [bases.map((base, k) => base.set(words.address(k))), nested];
  };
}
