/**
 * @file What the engine's WebAssembly can do, asked once with the smallest modules that show it.
 */

const bytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const once = (hex: string): (() => boolean) => {
  let known: boolean | undefined;
  return () => (known ??= typeof WebAssembly === 'object' && WebAssembly.validate(bytes(hex)));
};

/** A function that splats an int32 into a vector and takes lane 0 out again. */
const SPLAT = '0061736d010000000105016000017f030201000a0b0109004100fd11fd1b000b';
export const hasSimd = once(SPLAT);

let compiled: boolean | undefined;

/** True where a module with vectors was made: a page's Content-Security-Policy lets modules be validated that it forbids. */
export const mayCompile = (): boolean => (compiled ??= hasSimd() && isMade(SPLAT));

function isMade(hex: string): boolean {
  try {
    return new WebAssembly.Module(bytes(hex)) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}

/** A function of three vectors that is one `f32x4.relaxed_madd`. */
export const hasRelaxedSimd = once('0061736d0100000001080160037b7b7b017b030201000a0d010b00200020012002fd85020b');

/**
 * True on engines as new as `Float16Array`: their compilers keep the sums of an unrolled loop in registers.
 *
 * No feature of WebAssembly tells them apart: V8 12.4 spills such loops, V8 13.6 does not.
 */
export const keepsUnrolledSums = (): boolean => 'Float16Array' in globalThis;
