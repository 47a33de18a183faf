/**
 * @file The order of severities: Info < Warning < Error < Critical.
 */
import type { Severity } from './diagnostic.js';

/**
 * All severities, the mildest first.
 *
 * ```ts
 * SEVERITIES // => ['info', 'warning', 'error', 'critical']
 * ```
 */
export const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error', 'critical'];

/**
 * Negative when `a` is milder than `b`, 0 when they are equal, positive when `a` is graver.
 *
 * ```ts
 * ['error', 'info', 'critical'].sort(compareSeverity).join() // => 'info,error,critical'
 * ```
 */
export const compareSeverity = (a: Severity, b: Severity): number => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);

/** Whether work cannot go on after it: an error, or worse. */
export const isFatal = (severity: Severity): boolean => compareSeverity(severity, 'error') >= 0;
