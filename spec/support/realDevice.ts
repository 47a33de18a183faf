/**
 * @file The device under a backend: what it is given to compile, and how it is lost or made to refuse a command, really.
 */
import type { GpuMode } from '../../src/gpu.js';

export interface RealDevice {
  /** What was compiled since it is watched, in the language of the device. */
  readonly texts: readonly string[];
  /** Takes the device away, as a driver does. */
  readonly lose: () => void;
  /** Gives it a command that is invalid (WebGPU). */
  readonly confuse: () => void;
  readonly unwatch: () => void;
}

interface Device {
  destroy(): void;
  createBuffer(settings: { readonly size: number; readonly usage: number }): unknown;
}
type Method = (this: object, ...given: readonly unknown[]) => unknown;

/** Where each kind of device hears of a shader: class, method, and the text among the arguments. */
const HEARS = {
  webgl2: ['WebGL2RenderingContext', 'shaderSource', ([, text]: readonly unknown[]) => text as string],
  webgpu: ['GPUDevice', 'createShaderModule', ([given]: readonly unknown[]) => (given as { readonly code: string }).code],
} as const;

/** Watches the devices of a mode from now on. */
export function watchDevice(mode: GpuMode): RealDevice {
  const [className, method, textOf] = HEARS[mode as keyof typeof HEARS];
  const scope = globalThis as unknown as Readonly<Record<string, { readonly prototype: Record<string, Method> }>>;
  const { prototype } = scope[className];
  const original = prototype[method];
  const texts: string[] = [];
  let last: object | undefined;
  prototype[method] = function (...given) {
    last = this;
    texts.push(textOf(given));
    return original.call(this, ...given);
  };
  return {
    texts,
    lose() {
      if (mode === 'webgpu') (last as Device).destroy();
      else (last as WebGL2RenderingContext).getExtension('WEBGL_lose_context')!.loseContext();
    },
    confuse: () => void (last as Device).createBuffer({ size: 16, usage: 0xffffff }),
    unwatch: () => void (prototype[method] = original),
  };
}
