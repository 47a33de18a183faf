/**
 * @file Rows as aligned columns.
 */

/** The first row is the header. Columns named in `right` are aligned to the right; no line ends with a space. */
export function table(rows: readonly (readonly string[])[], right: readonly string[] = []): readonly string[] {
  const header = rows[0] ?? [];
  const widths = header.map((_, column) => rows.reduce((width, row) => Math.max(width, row[column].length), 0));
  const isRight = header.map((name) => right.includes(name));
  return rows.map((row) =>
    row
      .map((cell, column) => (isRight[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}
