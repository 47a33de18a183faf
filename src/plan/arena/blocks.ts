/**
 * @file Blocks: values that are written over one another in place lie in one, which lives from the first to the last of them.
 */

/** When values live and what they take, column by column, in the order in which they are born. */
export interface Sizes {
  readonly bytes: Float64Array;
  /** Positions in the order of execution, both inclusive. */
  readonly born: Int32Array;
  readonly dies: Int32Array;
}

export interface Blocks extends Sizes {
  /** Block of each value. */
  readonly blockOf: Int32Array;
}

/** @param over for each value the one whose place it takes; −1 for none */
export function blocksOf({ bytes, born, dies }: Sizes, over: Int32Array): Blocks {
  const blockOf = new Int32Array(bytes.length);
  const firsts: number[] = [];
  const ends: number[] = [];
  for (let value = 0; value < bytes.length; value++) {
    const block = over[value] < 0 ? firsts.push(value) - 1 : blockOf[over[value]];
    blockOf[value] = block;
    ends[block] = dies[value];
  }
  return {
    blockOf,
    bytes: Float64Array.from(firsts, (value) => bytes[value]),
    born: Int32Array.from(firsts, (value) => born[value]),
    dies: Int32Array.from(ends),
  };
}

/** Most bytes that live at one time: no placement takes less. */
export function liveBytes({ bytes, born, dies }: Sizes): number {
  const end = dies.reduce((latest, position) => Math.max(latest, position), -1);
  const change = new Float64Array(end + 2);
  bytes.forEach((held, k) => {
    change[born[k]] += held;
    change[dies[k] + 1] -= held;
  });
  let [live, most] = [0, 0];
  for (const each of change) most = Math.max(most, (live += each));
  return most;
}
