/**
 * @file Loops over axes, with an address for each array that only moves where its stride does.
 */
import { literal } from '../emitted.js';
import type { NestIR } from '../ir.js';

/** One array's walk: the name of its start address, and a stride for each axis. */
export interface Walk {
  readonly array: string;
  readonly start: string;
  readonly strides: readonly number[];
}

export interface Loop {
  readonly axis: number;
  readonly extent: number;
}

/** Opens loops over `loops` around `body`, which is given the address of each walk inside. */
export function nested(
  loops: readonly Loop[],
  walks: readonly Walk[],
  tag: string,
  body: (addresses: readonly string[]) => readonly string[],
  starts = walks.map(({ start }) => start),
): string[] {
  const [loop, ...rest] = loops;
  if (loop === undefined) return [...body(starts)];
  const i = `i${tag}${loop.axis}`;
  const moves: string[] = [];
  const addresses = walks.map((walk, k) => {
    const stride = walk.strides[loop.axis];
    if (stride === 0) return starts[k];
    const name = `p${tag}${k}_${loop.axis}`;
    moves.push(`const ${name} = ${starts[k]} + ${stride === 1 ? i : `${i} * ${literal(stride)}`};`);
    return name;
  });
  return [
    `for (let ${i} = 0; ${i} < ${literal(loop.extent)}; ${i}++) {`,
    ...moves,
    ...nested(rest, walks, tag, body, addresses),
    '}',
  ];
}

/** The walks of a nest: its inputs in order, then the output. */
export const walksOf = (ir: NestIR): readonly Walk[] => [
  ...ir.inputs.map((access, k) => ({ array: `a${k}`, start: `s${k}`, strides: access.strides })),
  { array: 'az', start: 'sz', strides: ir.output.strides },
];

export const loopsOf = (ir: NestIR, from: number, to: number): readonly Loop[] =>
  ir.extents.slice(from, to).map((extent, k) => ({ axis: from + k, extent }));
