/**
 * @file Contractions to try things on: by spec and sizes, or any.
 */
import fc from 'fast-check';
import { parseEinsum } from '../../src/ops/einsum/parse.js';
import { resolveEinsum, type Contraction } from '../../src/ops/einsum/resolve.js';
import { anyEinsum, type AnyEinsum } from './anyEinsum.js';

/** Sizes by letter: `contractionOf('ij,jk->ik', { i: 2, j: 3, k: 4 })`. */
export function contractionOf(spec: string, sizes: Readonly<Record<string, number>>): Contraction {
  const parsed = parseEinsum(spec);
  const shapes = parsed.inputs.map((term) => term.labels.map((letter) => sizes[letter]));
  return resolveEinsum(parsed, shapes).contraction!;
}

/** Any einsum with its contraction, which knows the operands' shapes or does not. */
export const anyContraction = (options: Parameters<typeof anyEinsum>[0]): fc.Arbitrary<readonly [Contraction, AnyEinsum]> =>
  fc.tuple(anyEinsum(options), fc.boolean()).map(([einsum, knowsShapes]) => {
    const shapes = einsum.tensors.map((t) => t.shape);
    const { contraction } = resolveEinsum(parseEinsum(einsum.spec), shapes);
    return [knowsShapes ? contraction! : { ...contraction!, shapes: undefined }, einsum];
  });
