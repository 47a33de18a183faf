/**
 * @file Whether bytes are the same: as fast as the platform can tell.
 */

/** As `Buffer.compare`: 0 where they are equal. */
export type CompareBytes = (a: Uint8Array, b: Uint8Array) => number;

/** A platform's own comparison is ten times as fast as a loop, but calling it takes as long as a few words. */
const FEW_BYTES = 128;

/** Tells whether as many bytes are the same. @param compare the platform's own, where it has one */
export const comparing =
  (compare?: CompareBytes) =>
  (a: Uint8Array, b: Uint8Array): boolean => {
    if (a.length <= FEW_BYTES) return sameElements(a, b);
    if (compare !== undefined) return compare(a, b) === 0;
    const isAligned = (a.byteOffset | b.byteOffset | a.length) % 4 === 0;
    return isAligned ? sameElements(wordsOf(a), wordsOf(b)) : sameElements(a, b);
  };

export const sameBytes = comparing((globalThis as { readonly Buffer?: { readonly compare?: CompareBytes } }).Buffer?.compare);

const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Int32Array => new Int32Array(buffer, byteOffset, length / 4);

function sameElements(a: Uint8Array | Int32Array, b: Uint8Array | Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
