/**
 * @file Handwritten digits as tensors: some to learn from, some held out to be examined on.
 */
import { tensor, type Tensor } from '../../../src/index.js';
import { DIGITS } from '../build/recordings.js';

export const SIDE = DIGITS.side;
export const PIXELS = SIDE * SIDE;

/** Float32 [PIXELS], by rows, 0 paper and 1 ink. */
export type Image = Float32Array;

export interface Labelled {
  readonly image: Image;
  readonly label: number;
}

export interface Images {
  readonly learned: readonly Labelled[];
  readonly heldOut: readonly Labelled[];
}

/** Reads what the build wrote. */
export async function loadImages(): Promise<Images> {
  const response = await fetch(DIGITS.file);
  if (!response.ok) throw new Error(`${DIGITS.file}: ${response.status} ${response.statusText}`);
  return imagesOf(new Uint8Array(await response.arrayBuffer()));
}

export function imagesOf(bytes: Uint8Array): Images {
  const perDigit = DIGITS.learned + DIGITS.heldOut;
  const pixels = new Float32Array(bytes);
  for (let at = 0; at < pixels.length; at++) pixels[at] /= 255;
  const all = Array.from({ length: 10 * perDigit }, (_, k): Labelled & { readonly turn: number } => ({
    image: pixels.subarray(k * PIXELS, (k + 1) * PIXELS),
    label: Math.floor(k / perDigit),
    turn: k % perDigit,
  }));
  return {
    learned: all.filter(({ turn }) => turn < DIGITS.learned),
    heldOut: all.filter(({ turn }) => turn >= DIGITS.learned),
  };
}

/** Float32 [n, PIXELS]. */
export function stacked(images: readonly Image[]): Tensor {
  const all = new Float32Array(images.length * PIXELS);
  images.forEach((image, k) => all.set(image, k * PIXELS));
  return tensor(all, { shape: [images.length, PIXELS] });
}

/** Float32 [n, 10]: a row for each label, 1 at the label. */
export function oneHot(labels: readonly number[]): Tensor {
  const all = new Float32Array(labels.length * 10);
  labels.forEach((label, k) => void (all[10 * k + label] = 1));
  return tensor(all, { shape: [labels.length, 10] });
}

/** The image moved by whole pixels; what leaves it is lost. */
export function moved(image: Image, right: number, down: number): Image {
  const result = new Float32Array(PIXELS);
  for (let row = Math.max(0, down); row < Math.min(SIDE, SIDE + down); row++)
    for (let column = Math.max(0, right); column < Math.min(SIDE, SIDE + right); column++)
      result[row * SIDE + column] = image[(row - down) * SIDE + column - right];
  return result;
}
