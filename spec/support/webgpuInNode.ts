/**
 * @file WebGPU in Node: the npm package `webgpu` on SwiftShader's Vulkan driver, which Debian's chromium brings along.
 */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';

const DRIVER = '/usr/lib/chromium/vk_swiftshader_icd.json';
/** RTLD_NODELETE of Linux: the library stays when it is closed. */
const KEPT = 0x1000;
const LOADER = '/usr/lib/chromium/libvulkan.so.1';

export interface Installed {
  /** Why there is no WebGPU here; undefined where there is. */
  readonly missing: string | undefined;
  /** Takes `navigator` away again. */
  readonly remove: () => void;
}

/** Puts `navigator.gpu` in place. */
export async function installWebGpu(): Promise<Installed> {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  const missing = existsSync(DRIVER) ? await install() : 'no Vulkan driver: install the Debian package chromium';
  return {
    missing,
    remove() {
      if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
      else Object.defineProperty(globalThis, 'navigator', before);
    },
  };
}

/** One for the process, for ever: what a device has yet to do needs it, and gpu.js keeps its device. */
let made: Promise<GPU> | undefined;

async function make(): Promise<GPU> {
  process.env['VK_ICD_FILENAMES'] ??= DRIVER;
  preloadLoader();
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  return create([]);
}

async function install(): Promise<string | undefined> {
  const gpu = await (made ??= make());
  Object.defineProperty(globalThis, 'navigator', { value: { gpu }, configurable: true });
  return (await gpu.requestAdapter()) === null ? 'WebGPU has no adapter here' : undefined;
}

/** A library that is loaded already is found by its name, wherever it lies. It is no addon, so loading it as one fails afterwards. */
function preloadLoader(): void {
  if (!existsSync(LOADER)) return;
  try {
    process.dlopen({ exports: {} }, LOADER, constants.dlopen.RTLD_NOW | KEPT);
  } catch (error) {
    if (!(error instanceof Error) || !/did not self-register|Module/.test(error.message)) throw error;
  }
}
