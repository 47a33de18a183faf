/**
 * @file The pad as a picture: strokes as they were drawn, or the pixels of an example; and what the model sees of it.
 */
import type { Scene } from '../ui/canvas.js';
import type { Drawing } from './drawing.js';
import { SIDE, type Image } from './images.js';
import { trace } from './normalize.js';

/** Of a line, as a part of the pad. */
const THICK = 0.075;

/** Puts an image on a canvas of SIDE × SIDE pixels, in the colour that text has there. */
export function paint(canvas: HTMLCanvasElement, image: Image): void {
  const [red, green, blue] = getComputedStyle(canvas).color.match(/\d+/g)!.map(Number);
  const pixels = new ImageData(SIDE, SIDE);
  image.forEach((ink, k) => pixels.data.set([red, green, blue, Math.round(255 * ink)], 4 * k));
  canvas.getContext('2d')!.putImageData(pixels, 0, 0);
}

export const padScene =
  (drawing: Drawing): Scene =>
  ({ context, width, height, colors }) => {
    context.save();
    context.scale(width, height);
    if ('example' in drawing) {
      context.fillStyle = colors.ink;
      drawing.example.forEach((ink, k) => {
        context.globalAlpha = ink;
        // A little more than a pixel, so that no seam is seen between two.
        context.fillRect((k % SIDE) / SIDE, Math.floor(k / SIDE) / SIDE, 1.03 / SIDE, 1.03 / SIDE);
      });
    } else {
      context.strokeStyle = colors.ink;
      context.lineWidth = THICK;
      trace(context, drawing.strokes);
    }
    context.restore();
  };
