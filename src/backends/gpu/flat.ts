/**
 * @file Results that kernels computed four elements a thread, as the flat arrays that they are to everyone else.
 *
 * gpu.js gives them as arrays of four on the host, and refuses them, or reads them otherwise, on a device. In memory they lie one
 * behind another in each of its modes, so that no element moves.
 */
import type { Handle, Result } from './library.js';

/** The handles of WebGPU: what gpu.js asks of a buffer that a kernel reads. */
interface BufferHandle {
  componentCount: number;
  output: readonly number[];
}

/** The handles of WebGL: four elements a texel is what gpu.js calls memory-optimised. */
interface TextureHandle {
  type: string;
  output: readonly number[];
  toArray: () => Float32Array;
  readonly renderValues: () => Float32Array;
}

type Tiled = readonly Float32Array[] | (Handle & (BufferHandle | TextureHandle));

/** The same result, flat. */
export function flat(result: Result, length: number): Result {
  const tiled = result as unknown as Tiled;
  if (isArray(tiled)) return joined(tiled, length);
  tiled.output = [length];
  if ('componentCount' in tiled) tiled.componentCount = 1;
  else {
    tiled.type = 'MemoryOptimizedNumberTexture';
    tiled.toArray = () => tiled.renderValues().subarray(0, length);
  }
  return tiled;
}

const isArray = (tiled: Tiled): tiled is readonly Float32Array[] => Array.isArray(tiled);

/** Where all lie in one buffer already, that buffer. */
function joined(cells: readonly Float32Array[], length: number): Float32Array {
  const { buffer, byteOffset } = cells[0];
  if (byteOffset === 0 && buffer.byteLength === length * Float32Array.BYTES_PER_ELEMENT) return new Float32Array(buffer);
  const elements = new Float32Array(length);
  cells.forEach((cell, at) => elements.set(cell, at * cell.length));
  return elements;
}
