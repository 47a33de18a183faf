/**
 * @file A path as a table, for people.
 */
import type { Contraction } from '../../ops/einsum/resolve.js';
import { pairwise } from './pairwise.js';
import type { ContractionPath } from './types.js';

const amount = (n: number): string => (n < 1e6 ? String(n) : n.toExponential(2));

/** `ij,jk->ik`, from the names of the labels. */
function specOf({ operands, output, names }: Contraction): string {
  const term = (labels: readonly number[]): string => labels.map((label) => names[label]).join('');
  return `${operands.map(term).join(',')}->${term(output)}`;
}

/**
 * A path as a table: each step with its operands, its spec, its cost in multiplications and additions, the elements of
 * its result, and in the head what the whole costs beside one loop.
 *
 * Slots count on from the operands: of three operands, the result of the first step is 3.
 *
 * ```ts
 * printPath(einsumPath('ij,jk,k->i', [[10, 20], [20, 30], [30]])).split('\n')[0] // => 'ij,jk,k->i'
 * ```
 */
export function printPath(path: ContractionPath): string {
  const { contraction, method, steps, flops, loopFlops, largest } = path;
  const gain = flops > 0 && Number.isFinite(loopFlops / flops) ? ` (${(loopFlops / flops).toPrecision(3)} times as many)` : '';
  const rows = pairwise(contraction, path).map((step, k) => [
    String(contraction.operands.length + k),
    step.inputs.join(', '),
    specOf(step.contraction),
    amount(steps[k].flops),
    amount(steps[k].elements),
  ]);
  const head = ['slot', 'of', 'contraction', 'flops', 'elements'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => (column < 3 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')}`;
  return [
    specOf(contraction),
    `  order:                ${method}`,
    `  flops:                ${amount(flops)}`,
    `  flops as one loop:    ${amount(loopFlops)}${gain}`,
    `  largest intermediate: ${amount(largest)} elements`,
    line(head),
    ...rows.map(line),
  ].join('\n');
}
