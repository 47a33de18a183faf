/**
 * @file Whole values, of any shape: skipped, or built as a tree. A loop with its own stack, so depth costs no call stack.
 */
import { CLOSE_ARRAY, CLOSE_OBJECT } from './ascii.js';
import type { Cursor } from './cursor.js';
import { peekKind } from './kind.js';
import { readLiteral } from './literal.js';
import { readNumber } from './number.js';
import { limitFault } from './place.js';
import { readString } from './string.js';
import { more, open, readKey, unexpected } from './syntax.js';

/** Objects have no prototype, so any key is an ordinary one; integer-like keys come first, as in every JS object. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

type Scalar = null | boolean | number | string;

interface Sink {
  open(close: number): void;
  key(text: string): void;
  scalar(value: Scalar): void;
  close(): void;
}

const ignored = (): void => undefined;
const NOTHING: Sink = { open: ignored, key: ignored, scalar: ignored, close: ignored };

/** Steps over the next value, as strictly as if it were built. */
export const skipValue = (cursor: Cursor): void => walk(cursor, NOTHING);

/** The next value as a tree. */
export function readValue(cursor: Cursor): JsonValue {
  const builder = treeBuilder(cursor);
  walk(cursor, builder);
  return builder.result();
}

function walk(cursor: Cursor, sink: Sink): void {
  const brackets: number[] = [];
  for (;;) {
    const kind = peekKind(cursor);
    if (kind === 'object' || kind === 'array') {
      const close = kind === 'object' ? CLOSE_OBJECT : CLOSE_ARRAY;
      sink.open(close);
      if (open(cursor, close)) {
        brackets.push(close);
        if (close === CLOSE_OBJECT) sink.key(readKey(cursor));
        continue;
      }
      sink.close();
    } else sink.scalar(readScalar(cursor, kind));
    if (!goOn(cursor, sink, brackets)) return;
  }
}

/** Closes what ends here; true when another value follows. */
function goOn(cursor: Cursor, sink: Sink, brackets: number[]): boolean {
  while (brackets.length > 0) {
    const close = brackets[brackets.length - 1];
    if (more(cursor, close)) {
      if (close === CLOSE_OBJECT) sink.key(readKey(cursor));
      return true;
    }
    brackets.pop();
    sink.close();
  }
  return false;
}

function readScalar(cursor: Cursor, kind: string): Scalar {
  if (kind === 'string') return readString(cursor);
  if (kind === 'number') return readNumber(cursor);
  if (kind === 'end') throw unexpected(cursor, 'a value');
  return readLiteral(cursor);
}

type Container = JsonValue[] | Record<string, JsonValue>;

function treeBuilder(cursor: Cursor): Sink & { result(): JsonValue } {
  const parents: Container[] = [];
  const keys: string[] = [];
  let container: Container = [];
  let key = '';
  let count = 0;
  const root = container;
  const add = (value: JsonValue): void => {
    if (++count > cursor.limits.values) {
      throw limitFault(
        cursor,
        cursor.at,
        'values',
        cursor.limits.values,
        'the values of one tree must stay below the limit',
        `value ${count}`,
      );
    }
    if (Array.isArray(container)) container.push(value);
    else container[key] = value;
  };
  return {
    open(close) {
      const child: Container = close === CLOSE_OBJECT ? (Object.create(null) as Record<string, JsonValue>) : [];
      add(child);
      parents.push(container);
      keys.push(key);
      container = child;
    },
    key(text) {
      key = text;
    },
    scalar: add,
    close() {
      container = parents.pop()!;
      key = keys.pop()!;
    },
    result: () => root[0]!,
  };
}
