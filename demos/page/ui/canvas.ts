/**
 * @file Canvases that are sharp on every screen, follow the colour scheme, and draw at most once a display frame.
 */
import {
  animationFrameScheduler,
  auditTime,
  combineLatest,
  finalize,
  fromEvent,
  map,
  merge,
  Observable,
  of,
  switchMap,
} from 'rxjs';
import { effect } from './dom.js';

/** Colours of the page, by the names of its custom properties. */
export interface Palette {
  readonly ink: string;
  readonly muted: string;
  readonly rule: string;
  readonly accent: string;
  readonly band: string;
  readonly odd: string;
}

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly colors: Palette;
}

export type Scene = (brush: Brush) => void;

function paletteNow(): Palette {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: color('ink'),
    muted: color('muted'),
    rule: color('rule'),
    accent: color('accent'),
    band: color('band'),
    odd: color('odd'),
  };
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const palette$: Observable<Palette> = merge(of(0), fromEvent(dark, 'change')).pipe(map(paletteNow));

interface Size {
  readonly width: number;
  readonly height: number;
  /** Pixels of the screen for each of CSS. */
  readonly ratio: number;
}

/** The size of an element on the page, whenever it changes; moving to a screen of another density too. */
const size$ = (target: HTMLElement): Observable<Size> =>
  new Observable<void>((subscriber) => {
    const observer = new ResizeObserver(() => subscriber.next());
    observer.observe(target);
    return () => observer.disconnect();
  }).pipe(
    switchMap(() => merge(of(0), fromEvent(matchMedia(`(resolution: ${devicePixelRatio}dppx)`), 'change'))),
    map(() => ({ width: target.clientWidth, height: target.clientHeight, ratio: devicePixelRatio })),
  );

/** Draws the latest scene: on a new one, a new size and a new colour scheme. */
export function draw(canvas: HTMLCanvasElement, scenes$: Observable<Scene>): Observable<never> {
  const context = canvas.getContext('2d')!;
  const latest$ = combineLatest([scenes$, size$(canvas), palette$]).pipe(auditTime(0, animationFrameScheduler));
  return effect(latest$, ([scene, { width, height, ratio }, colors]) => {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    // Setting a size clears the canvas, and costs.
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
    context.lineJoin = 'round';
    scene({ context, width, height, colors });
  }).pipe(finalize(() => context.clearRect(0, 0, canvas.width, canvas.height)));
}
