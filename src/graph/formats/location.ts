/**
 * @file A source span of the interchange format's metadata as the location that errors show.
 */
import type { SourceLocation } from '../../errors/index.js';

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** The start of `span`, or of the span of its provenance: `{ file, line, column }`, itself or under `start`. */
export function locationOf(metadata: unknown): SourceLocation | undefined {
  if (!isTree(metadata)) return undefined;
  return readSpan(metadata['span']) ?? (isTree(metadata['provenance']) ? readProvenance(metadata['provenance']) : undefined);
}

const readProvenance = (provenance: Tree): SourceLocation | undefined =>
  readSpan(provenance['span']) ??
  (typeof provenance['source_file'] === 'string' ? { file: provenance['source_file'] } : undefined);

function readSpan(span: unknown): SourceLocation | undefined {
  if (!isTree(span)) return undefined;
  const at = isTree(span['start']) ? span['start'] : span;
  const [file, line, column] = [at['file'], count(at['line']), count(at['column'])];
  if (typeof file !== 'string' && line === undefined) return undefined;
  return Object.freeze({
    ...(typeof file === 'string' ? { file } : {}),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  });
}
