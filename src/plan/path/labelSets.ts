/**
 * @file Sets of labels as bits, and the number of elements over a set, fast: what the searches compare by the thousand.
 */
export interface LabelSets {
  readonly empty: Int32Array;
  readonly operands: readonly Int32Array[];
  /** Labels that only the last contraction may drop. */
  readonly keep: Int32Array;
  or(a: Int32Array, b: Int32Array): Int32Array;
  and(a: Int32Array, b: Int32Array): Int32Array;
  /** Elements over the union of two sets. */
  elements(a: Int32Array, b: Int32Array): number;
  /** Multiplications and additions to contract `a` with `b` into `result`. */
  flops(a: Int32Array, b: Int32Array, result: Int32Array): number;
}

/** Sets over the labels of `operands`, of whatever number; labels of size 1 cost nothing and are left out. */
export function labelSets(
  operands: readonly (readonly number[])[],
  keep: readonly boolean[],
  sizes: readonly number[],
): LabelSets {
  const bits = new Map<number, number>();
  for (const label of operands.flat()) if (sizes[label] !== 1 && !bits.has(label)) bits.set(label, bits.size);
  const words = Math.max(1, Math.ceil(bits.size / 32));
  const tables = productTables(
    [...bits.keys()].map((label) => sizes[label]),
    words,
  );
  const setOf = (labels: Iterable<number>): Int32Array => {
    const set = new Int32Array(words);
    for (const label of labels) {
      const bit = bits.get(label);
      if (bit !== undefined) set[bit >> 5] |= 1 << (bit & 31);
    }
    return set;
  };
  const elements = (a: Int32Array, b: Int32Array): number => {
    let product = 1;
    for (let word = 0; word < words; word++) {
      const set = a[word] | b[word];
      const at = word * 1024;
      product *=
        tables[at + (set & 255)] *
        tables[at + 256 + ((set >>> 8) & 255)] *
        tables[at + 512 + ((set >>> 16) & 255)] *
        tables[at + 768 + (set >>> 24)];
    }
    return Number.isNaN(product) ? 0 : product; // Infinity × 0
  };
  const isSum = (a: Int32Array, b: Int32Array, result: Int32Array): boolean => {
    for (let word = 0; word < words; word++) if (((a[word] | b[word]) & ~result[word]) !== 0) return true;
    return false;
  };
  return {
    empty: new Int32Array(words),
    operands: operands.map(setOf),
    keep: setOf(keep.flatMap((isKept, label) => (isKept ? [label] : []))),
    or: (a, b) => a.map((word, i) => word | b[i]),
    and: (a, b) => a.map((word, i) => word & b[i]),
    elements,
    flops: (a, b, result) => elements(a, b) * (isSum(a, b, result) ? 2 : 1),
  };
}

/** By byte of a set, 256 entries each, by value of the byte: the product of the sizes in it. */
function productTables(sizes: readonly number[], words: number): Float64Array {
  const tables = new Float64Array(words * 4 * 256).fill(1);
  for (let byte = 0; byte < words * 4; byte++) {
    const table = tables.subarray(byte * 256, byte * 256 + 256);
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[value] = table[value & (value - 1)] * (sizes[8 * byte + lowest] ?? 1) || 0; // `|| 0`: Infinity × 0 is no size
    }
  }
  return tables;
}
