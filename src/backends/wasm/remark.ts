/**
 * @file What a backend says where it has fewer threads than were asked for.
 */

/** A sentence for `capabilities.remarks`. */
export const remark = (threads: number, wanted: number, reason: string): string =>
  `${threads} of the ${wanted} threads that were asked for, because ${reason}`;
