/**
 * @file Any value as a few words of a message. Never calls a method of the value, so it cannot throw.
 */
import { excerpt } from './escape.js';

/** Numbers as written (−0 too), strings quoted and shortened, everything else by its kind. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `"${excerpt(value, 40)}"`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${excerpt(String(value), 40)}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : ArrayBuffer.isView(value) ? 'a typed array' : isArray(value) ? 'an array' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** `Array.isArray`, which throws on a revoked proxy. */
function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
