/**
 * @file A drawing as the model saw digits when it learned: 20 pixels large, with its centre of mass in the middle of 28.
 */
import { isEmpty, type Drawing, type Stroke } from './drawing.js';
import { moved, PIXELS, SIDE, type Image } from './images.js';

const LARGE = 20;
/** Of a line, in pixels. */
const THICK = 2.2;
/** A drawing smaller than that part of the pad is not blown up to the full size. */
const SMALLEST = 0.2;

export interface Box {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Where strokes go in SIDE × SIDE pixels: their box is LARGE, and in the middle. */
export function placed(strokes: readonly Stroke[]): Box {
  const points = strokes.flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = (LARGE - THICK) / Math.max(right - left, bottom - top, SMALLEST);
  return { scale, left: SIDE / 2 - (scale * (left + right)) / 2, top: SIDE / 2 - (scale * (top + bottom)) / 2 };
}

/** The image moved by whole pixels, so that its centre of mass lies in the middle. */
export function centred(image: Image): Image {
  let [mass, across, down] = [0, 0, 0];
  image.forEach((ink, at) => {
    mass += ink;
    across += ink * (at % SIDE);
    down += ink * Math.floor(at / SIDE);
  });
  if (mass === 0) return image;
  const middle = (SIDE - 1) / 2;
  return moved(image, Math.round(middle - across / mass), Math.round(middle - down / mass));
}

/** Draws strokes as one smooth line each; a stroke of one point is a dot. */
export function trace(context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D, strokes: readonly Stroke[]): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const stroke of strokes) {
    context.beginPath();
    context.moveTo(stroke[0].x, stroke[0].y);
    for (let k = 1; k < stroke.length - 1; k++) {
      const [{ x, y }, next] = [stroke[k], stroke[k + 1]];
      context.quadraticCurveTo(x, y, (x + next.x) / 2, (y + next.y) / 2);
    }
    const { x, y } = stroke.at(-1)!;
    context.lineTo(x, y);
    context.stroke();
  }
}

/** Makes images of drawings, on one small canvas. */
export function normalizer(): (drawing: Drawing) => Image {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })!;
  return (drawing) => {
    if ('example' in drawing) return drawing.example;
    if (isEmpty(drawing)) return new Float32Array(PIXELS);
    const { scale, left, top } = placed(drawing.strokes);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, SIDE, SIDE);
    context.setTransform(scale, 0, 0, scale, left, top);
    context.lineWidth = THICK / scale;
    trace(context, drawing.strokes);
    const { data } = context.getImageData(0, 0, SIDE, SIDE);
    return centred(Float32Array.from({ length: PIXELS }, (_, k) => data[4 * k + 3] / 255));
  };
}
