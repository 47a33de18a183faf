/**
 * @file What the user's own callbacks and teardowns throw, as errors of ours.
 */
import { EinstreamError, fault } from '../../errors/index.js';

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** E_CONSUMER; one that is that already stays as it is. */
export const consumerFailed = (place: string, cause: unknown): EinstreamError =>
  cause instanceof EinstreamError && cause.code === 'E_CONSUMER'
    ? cause
    : fault('E_CONSUMER', { place, rule: `a ${place} must not throw`, actual: messageOf(cause), cause });

/** E_TEARDOWN; one that is that already stays as it is. */
export const teardownFailed = (cause: unknown): EinstreamError =>
  cause instanceof EinstreamError && cause.code === 'E_TEARDOWN'
    ? cause
    : fault('E_TEARDOWN', { place: 'teardown', rule: 'a teardown must not throw', actual: messageOf(cause), cause });

/** What the user's callback gives; what it throws is E_CONSUMER. */
export function calling<T>(place: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw consumerFailed(place, error);
  }
}
