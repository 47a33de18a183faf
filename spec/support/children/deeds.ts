/**
 * @file What a wild worker does when a kernel reads this number first.
 */
export const DEEDS = {
  exit: 7001,
  loop: 7002,
  wasmLoop: 7003,
  wait: 7004,
  fillHeap: 7005,
  /** 100 ms in one kernel. */
  busy: 7006,
  /** 1 ms in each kernel that reads it. */
  tile: 7007,
  /** Collects garbage: the thread that sent a buffer counts it as its own until the one that received it lets it go. */
  collect: 7008,
} as const;
