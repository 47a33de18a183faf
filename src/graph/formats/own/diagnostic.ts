/**
 * @file Diagnostics that a graph carries, read back.
 */
import type { Diagnostic } from '../../../errors/index.js';
import type { JsonReader, JsonValue } from '../../json/index.js';
import { decodePlain } from './plain.js';

const LISTS = ['context', 'suggestions', 'related'] as const;

/** @throws EinstreamError E_PARSE where code, message or severity are missing */
export function diagnosticFrom(reader: JsonReader, value: JsonValue): Diagnostic {
  const tree = decodePlain(value) as Record<string, unknown> | null;
  const isWhole =
    typeof tree === 'object' &&
    tree !== null &&
    typeof tree['code'] === 'string' &&
    typeof tree['message'] === 'string' &&
    ['info', 'warning', 'error', 'critical'].includes(tree['severity'] as string) &&
    LISTS.every((key) => tree[key] === undefined || Array.isArray(tree[key]));
  if (!isWhole) throw reader.fault('E_PARSE', { rule: 'a fault has a severity, a code and a message' });
  return { context: [], suggestions: [], related: [], ...tree } as unknown as Diagnostic;
}
