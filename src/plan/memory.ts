/**
 * @file Which intermediate values may share a buffer: one walk in order of execution, exact sizes reused.
 */

/** Values that need memory while they live, column by column, in the order in which they are born. */
export interface Lifetimes {
  /** Buffers are shared between values of the same kind: dtype and element count, as a number. */
  readonly kinds: Int32Array;
  /** Positions in the order of execution, both inclusive. No value dies before it is born. */
  readonly born: Int32Array;
  readonly dies: Int32Array;
  /**
   * For each value an earlier one that it may be written over, element by element, if that dies where this one is born;
   * −1 for none.
   */
  readonly over?: Int32Array;
}

export interface BufferPlan {
  /** Buffer of each value. */
  readonly buffers: Int32Array;
  readonly count: number;
}

/** Buffers for values of one kind each. Linear in values and positions. */
export function planBuffers(lifetimes: Lifetimes): BufferPlan {
  return shareByKind(lifetimes, overwritten(lifetimes));
}

/** For each value the one that it is written over; −1 for none. A value is written over once. */
export function overwritten({ kinds, born, dies, over }: Lifetimes): Int32Array {
  const taken = new Int32Array(kinds.length).fill(-1);
  if (over === undefined) return taken;
  const isTaken = new Uint8Array(kinds.length);
  for (let value = 0; value < kinds.length; value++) {
    const under = over[value];
    if (under < 0 || isTaken[under] === 1 || dies[under] !== born[value] || kinds[under] !== kinds[value]) continue;
    isTaken[under] = 1;
    taken[value] = under;
  }
  return taken;
}

/** @param over as `overwritten` gives it */
export function shareByKind({ kinds, born, dies }: Lifetimes, over: Int32Array): BufferPlan {
  const buffers = new Int32Array(kinds.length);
  const free = new Map<number, number[]>();
  // The values that die at a position, as a list linked through `next`.
  const next = new Int32Array(kinds.length);
  const first = new Int32Array(dies.reduce((latest, position) => Math.max(latest, position), -1) + 1).fill(-1);
  const isTaken = new Uint8Array(kinds.length);
  let count = 0;
  let released = 0;
  for (let value = 0; value < kinds.length; value++) {
    for (; released < born[value]; released++) {
      for (let dead = first[released]; dead >= 0; dead = next[dead])
        if (isTaken[dead] === 0) free.get(kinds[dead])!.push(buffers[dead]);
    }
    let spare = free.get(kinds[value]);
    if (spare === undefined) free.set(kinds[value], (spare = []));
    if (over[value] >= 0) isTaken[over[value]] = 1;
    buffers[value] = over[value] >= 0 ? buffers[over[value]] : (spare.pop() ?? count++);
    next[value] = first[dies[value]];
    first[dies[value]] = value;
  }
  return { buffers, count };
}
