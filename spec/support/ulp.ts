/**
 * @file How far a float32 is from a value, in units of the value's last place.
 */

/** Distance of a float32 from the exact value, in ULP of float32; Infinity where the kinds or the signs of zero differ. */
export function ulpError(got: number, exact: number): number {
  const nearest = Math.fround(exact);
  if (Object.is(got, nearest)) return 0;
  if (Number.isNaN(got) || Number.isNaN(nearest) || (got === 0 && nearest === 0)) return Infinity;
  // An overflow one step early or late is an error of the last place, too.
  if (Math.abs(got) === Infinity) return Math.abs(got - nearest) === Infinity && Math.abs(exact) > 3.402823e38 ? 1 : Infinity;
  const magnitude = Math.max(Math.abs(nearest) === Infinity ? 2 ** 127 : Math.abs(nearest), 2 ** -126);
  return Math.abs(got - exact) / 2 ** (Math.floor(Math.log2(magnitude)) - 23);
}

/** Every sign and exponent of float32 with `each` mantissas: the first, second and last, then pseudo-random ones. */
export function allExponents(each: number, seed: number): Float32Array {
  const bits = new Int32Array(512 * each);
  let state = seed | 0;
  for (let at = 0; at < bits.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const k = at % each;
    bits[at] = (Math.floor(at / each) << 23) | (k < 2 ? k : k === 2 ? 0x7fffff : state >>> 9);
  }
  return new Float32Array(bits.buffer);
}

/** Every `step`th bit pattern of float32, in blocks. */
export function* everyFloat(step: number, block: number): Generator<Float32Array> {
  const bits = new Uint32Array(block);
  for (let next = 0; next < 2 ** 32; next += block * step) {
    for (let k = 0; k < block; k++) bits[k] = next + k * step;
    yield new Float32Array(bits.buffer);
  }
}
