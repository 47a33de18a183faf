/** @file The file budget: small files, counted. */

/** Lines that a file may have, and half of the files may have. */
export const lineLimit = 250;
export const medianLimit = 80;

/** The counts of a set of files. A generated table (`@generated` within its first five lines) is not counted. */
export interface Budget {
  readonly files: number;
  readonly median: number;
  readonly longest: readonly [path: string, lines: number];
  /** Files over the limit, the longest first. */
  readonly over: readonly (readonly [path: string, lines: number])[];
}

const isGenerated = (text: string) => text.split('\n', 5).some((line) => line.includes('@generated'));
const countLines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Measures files given as text by path. */
export function budgetOf(files: ReadonlyMap<string, string>): Budget {
  const counted = [...files].filter(([, text]) => !isGenerated(text));
  const sizes = counted.map(([path, text]) => [path, countLines(text)] as const).sort((a, b) => b[1] - a[1]);
  const median = sizes[Math.floor(sizes.length / 2)]?.[1] ?? 0;
  return { files: sizes.length, median, longest: sizes[0] ?? ['', 0], over: sizes.filter(([, lines]) => lines > lineLimit) };
}
