/**
 * @file Which intermediate values may share a buffer: one walk in order of execution, exact sizes reused.
 */

/** Values that need a buffer while they live, column by column, in the order in which they are born. */
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

/**
 * Assigns buffers so that values that live at the same time never share one. Linear in values and positions.
 *
 * A value dies after its last reader has run, so a reader writes over its own input only where `over` allows it.
 */
export function planBuffers({ kinds, born, dies, over }: Lifetimes): BufferPlan {
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
    const under = over?.[value] ?? -1;
    const isInPlace = under >= 0 && isTaken[under] === 0 && dies[under] === born[value] && kinds[under] === kinds[value];
    if (isInPlace) isTaken[under] = 1;
    buffers[value] = isInPlace ? buffers[under] : (spare.pop() ?? count++);
    next[value] = first[dies[value]];
    first[dies[value]] = value;
  }
  return { buffers, count };
}
