/**
 * @file Files as they are after parts were swapped, repeated, zeroed, added, lost to noise or to another file.
 */
import fc from 'fast-check';

/** Bytes that are neither of the two files. */
export function anyDamage(bytes: Uint8Array, other: Uint8Array): fc.Arbitrary<Uint8Array> {
  const most = Math.min(64, bytes.length >> 1);
  const at = fc.integer({ min: 0, max: bytes.length - most });
  return fc
    .tuple(
      fc.constantFrom('swap', 'repeat', 'zero', 'mix', 'add', 'random'),
      at,
      at,
      fc.integer({ min: 1, max: most }),
      fc.uint8Array({ maxLength: 64 }),
    )
    .map(([how, from, to, length, noise]) => {
      const broken = bytes.slice();
      const [a, b] = [bytes.slice(from, from + length), bytes.slice(to, to + length)];
      if (how === 'swap') [broken.set(b, from), broken.set(a, to)];
      else if (how === 'repeat') broken.set(a, to);
      else if (how === 'zero') broken.fill(0, from, from + length);
      else if (how === 'mix') broken.set(other.subarray(from, bytes.length), Math.min(from, other.length));
      else if (how === 'add') return Uint8Array.from([...bytes, ...noise]);
      else return noise;
      return broken;
    })
    .filter((broken) => Buffer.compare(broken, bytes) !== 0 && Buffer.compare(broken, other) !== 0);
}
