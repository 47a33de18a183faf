/**
 * @file Which intermediate values may share a buffer: one walk in order of execution, exact sizes reused.
 */

/** A value that needs a buffer while it lives. */
export interface Lifetime {
  readonly slot: number;
  /** Buffers are shared between values of the same dtype and element count. */
  readonly kind: string;
  readonly size: number;
  /** Positions in the order of execution, both inclusive. */
  readonly born: number;
  readonly dies: number;
}

export interface BufferPlan {
  /** Buffer of each lifetime, in the order given. */
  readonly buffers: readonly number[];
  readonly count: number;
}

/**
 * Assigns buffers so that values that live at the same time never share one. `lifetimes` are sorted by `born`.
 *
 * A value dies after its last reader has run, so a reader never writes over its own input.
 */
export function planBuffers(lifetimes: readonly Lifetime[]): BufferPlan {
  const free = new Map<string, number[]>();
  const expiring = new Map<number, { readonly key: string; readonly buffer: number }[]>();
  const buffers: number[] = [];
  let count = 0;
  let released = 0;
  for (const { kind, size, born, dies } of lifetimes) {
    for (; released < born; released++) {
      for (const { key, buffer } of expiring.get(released) ?? []) free.get(key)!.push(buffer);
      expiring.delete(released);
    }
    const key = `${kind}:${size}`;
    let spare = free.get(key);
    if (spare === undefined) free.set(key, (spare = []));
    const buffer = spare.pop() ?? count++;
    buffers.push(buffer);
    const list = expiring.get(dies);
    if (list === undefined) expiring.set(dies, [{ key, buffer }]);
    else list.push({ key, buffer });
  }
  return { buffers, count };
}
