/**
 * @file Paths whose costs are published: by opt_einsum (its documentation and README) and by NumPy (`einsum_path`), which count
 * multiplications and additions as we do.
 */

export interface Published {
  readonly spec: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly flops: number;
  readonly largest?: number;
  readonly source: string;
}

const alike = (spec: string, size: number): Readonly<Record<string, number>> =>
  Object.fromEntries([...spec].filter((char) => /[a-z]/.test(char)).map((letter) => [letter, size]));

export const PUBLISHED: readonly Published[] = [
  {
    spec: 'ij,jk,kl->il',
    sizes: { i: 2, j: 2, k: 5, l: 2 },
    flops: 56,
    largest: 4,
    source: 'NumPy, einsum_path, first example',
  },
  {
    spec: 'ea,fb,abcd,gc,hd->efgh',
    sizes: alike('abcdefgh', 10),
    flops: 8e5,
    largest: 1e4,
    source: 'NumPy, einsum_path, second example',
  },
  {
    spec: 'pi,qj,ijkl,rk,sl->pqrs',
    sizes: alike('pqrsijkl', 10),
    flops: 8e5,
    largest: 1e4,
    source: 'opt_einsum, README',
  },
  // The sizes of the next two are drawn from a list; these are the ones that give the printed costs of every step.
  {
    spec: 'bdik,acaj,ikab,ajac,ikbd->',
    sizes: { a: 10, b: 9, c: 17, d: 10, i: 13, j: 15, k: 16 },
    flops: 8e4,
    largest: 1872,
    source: 'opt_einsum 2, "Examining the Path"',
  },
  {
    spec: 'bdik,acaj,ikab,ajac,ikbd->',
    sizes: { a: 10, b: 9, c: 13, d: 15, i: 10, j: 16, k: 17 },
    flops: 80_680,
    largest: 1530,
    source: 'opt_einsum 3, "Examining the Path"',
  },
  {
    spec: 'abc,dc,ac->bd',
    sizes: { a: 12, b: 11, c: 6, d: 12 },
    flops: 3168,
    source: 'opt_einsum, "The Optimal Path"',
  },
  {
    spec: 'xyf,xtf,ytpf,fr->tpr',
    sizes: { x: 35, y: 37, f: 59, t: 51, p: 51, r: 27 },
    flops: 2.744e7,
    largest: 1.535e5,
    source: 'opt_einsum, "Optimal Scaling Misses", where greedy takes 4.165e8',
  },
  {
    spec: 'mi,na,mnkl,kj,lb->iajb',
    sizes: { m: 1024, n: 1024, k: 1024, l: 1024, i: 128, j: 128, a: 896, b: 896 },
    flops: 3.744e14,
    largest: 1.374e11,
    source: 'opt-einsum-path (a port to Rust), README',
  },
];
