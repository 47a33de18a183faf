/**
 * @file What a check of gradients found, as values and as text.
 */

/** One element whose two slopes differ. */
export interface GradientDifference {
  readonly parameter: string;
  readonly index: readonly number[];
  /** By the rules of the ops. */
  readonly analytic: number;
  /** By finite differences. */
  readonly numeric: number;
  /** Their distance, relative to the larger, or to `abs / rel` where both are smaller: more than `rel`. */
  readonly error: number;
}

/** The outcome of `checkGradients`; as a text, a line for each difference. */
export interface GradientReport {
  readonly passed: boolean;
  /** Elements that were compared. */
  readonly checked: number;
  /** Elements where the function bends or jumps, so that there is nothing to compare with. */
  readonly skipped: number;
  readonly failed: number;
  /** The largest error among all that were compared; 0 where none was. */
  readonly worst: number;
  /** The largest differences, by `report` of them at most. */
  readonly differences: readonly GradientDifference[];
  toString(): string;
}

/** The distance of two numbers relative to the larger, or to `floor` where both are smaller; Infinity where one is none. */
export const relativeError = (a: number, b: number, floor: number): number => {
  if (a === b) return 0;
  const error = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), floor);
  return Number.isNaN(error) ? Infinity : error;
};

export function reportOf(
  counts: Pick<GradientReport, 'checked' | 'skipped' | 'worst'>,
  found: readonly GradientDifference[],
  most: number,
): GradientReport {
  const differences = [...found].sort((a, b) => b.error - a.error).slice(0, most);
  const head = `${counts.checked} checked, ${counts.skipped} skipped at kinks, ${found.length} wrong`;
  return Object.freeze<GradientReport>({
    ...counts,
    passed: found.length === 0,
    failed: found.length,
    differences,
    toString: () => [head, ...differences.map(lineOf)].join('\n'),
  });
}

const lineOf = ({ parameter, index, analytic, numeric, error }: GradientDifference): string =>
  `${parameter}[${index.join(', ')}]: gradient ${analytic}, finite difference ${numeric}, error ${error.toExponential(2)}`;
