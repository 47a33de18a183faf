/**
 * @file What a device says of itself. gpu.js goes on in silence where a WebGL context is lost or out of memory, and where WebGPU
 * refuses a command: what comes back then are zeros. So the device is asked before a result is believed.
 */
import { fault, type EinstreamError } from '../../errors/index.js';
import type { Library, WebGlContext, WebGpuContext } from './library.js';

/** What is wrong with the device, once something is; nothing of it may be believed from then on. */
export interface Health {
  /** Costs nothing: to be asked after each kernel. */
  readonly fault: () => EinstreamError | undefined;
  /** Waits for the device: to be asked after each readback. */
  readonly faultOfAll: () => EinstreamError | undefined;
}

const lost = (actual: string): EinstreamError =>
  fault('E_BACKEND_LOST', { place: 'gpu', rule: 'the device must stay available', actual, hint: 'feed the frame again' });
const full = (actual: string): EinstreamError =>
  fault('E_OOM', { place: 'gpu', rule: 'tensors must fit into the memory of the device', actual, hint: 'use smaller batches' });

/** GL_OUT_OF_MEMORY, and GL_CONTEXT_LOST_WEBGL. */
const [OUT_OF_MEMORY, CONTEXT_LOST] = [0x0505, 0x9242];
/** GL keeps one flag of each kind. */
const MOST_FLAGS = 8;

/** The context is there once a kernel was made. Other errors of GL are those of gpu.js's own questions. */
export function webGlHealth({ context: contextOf }: { readonly context: () => WebGlContext | null | undefined }): Health {
  let found: EinstreamError | undefined;
  const faultNow = (): EinstreamError | undefined =>
    (found ??= contextOf()?.isContextLost() === true ? lost('the WebGL context was lost') : undefined);
  return {
    fault: faultNow,
    faultOfAll() {
      const context = contextOf();
      for (let at = 0; at < MOST_FLAGS && context !== null && context !== undefined; at++) {
        const flag = context.getError();
        if (flag === 0) break;
        if (flag === OUT_OF_MEMORY) found ??= full('WebGL is out of memory');
        if (flag === CONTEXT_LOST) found ??= lost('the WebGL context was lost');
      }
      return faultNow();
    },
  };
}

/** Listens to the device. It is one for all backends of a process, and says not whose command it refused: each takes it as its own. */
export function webGpuHealth(context: WebGpuContext): Health {
  let found: EinstreamError | undefined;
  context.device.addEventListener('uncapturederror', ({ error }) => {
    found ??= /OutOfMemory/.test(error.constructor.name)
      ? full(error.message)
      : fault('E_KERNEL', { place: 'gpu', rule: 'the device must take every command', actual: error.message });
  });
  const faultNow = (): EinstreamError | undefined => (found ??= context.isLost ? lost('the WebGPU device was lost') : undefined);
  return { fault: faultNow, faultOfAll: faultNow };
}

/** Frees what the page counts: it has few contexts to give, and takes the oldest away in silence. */
export function loseContext({ context }: Library): void {
  if (context?.isContextLost() === false) context.getExtension('WEBGL_lose_context')?.loseContext();
}
