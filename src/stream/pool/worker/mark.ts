/**
 * @file By what a worker knows that a pool has started it.
 */

/** Its data, its argument or its name. */
export const MARK = 'einstream-pool';
