/**
 * @file A promise that must be kept in time: a device that hangs never answers.
 */
import { fault } from '../../errors/index.js';

/** The value, or a rejection with E_TIMEOUT after so many milliseconds. */
export function within<T>(milliseconds: number, value: T | PromiseLike<T>): Promise<T> {
  if (milliseconds === Infinity) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(
        fault('E_TIMEOUT', {
          place: 'gpu',
          rule: 'the device must answer in time',
          expected: `within ${milliseconds} ms`,
          hint: 'raise `readTimeout`, or use smaller batches',
        }),
      );
    }, milliseconds);
    Promise.resolve(value)
      .finally(() => clearTimeout(late))
      .then(resolve, reject);
  });
}
