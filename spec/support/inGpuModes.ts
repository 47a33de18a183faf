/**
 * @file Describes something of the gpu backend in each mode that Node has: two that need no device, and WebGPU where there is a driver.
 */
import type { Backend } from '../../src/index.js';
import { gpu, type GpuMode } from '../../src/gpu.js';
import { installWebGpu, type Installed } from './webgpuInNode.js';

export const NODE_MODES = ['cpu', 'webasm', 'webgpu'] as const satisfies readonly GpuMode[];
export type NodeMode = (typeof NODE_MODES)[number];

/** `backend` gives the backend once tests run. What misses a driver is skipped, and says which. */
export function inGpuModes(
  title: (mode: NodeMode) => string,
  body: (backend: () => Backend, mode: NodeMode) => void,
  modes: readonly NodeMode[] = NODE_MODES,
): void {
  for (const mode of modes)
    describe(title(mode), () => {
      let made: Backend | undefined;
      let installed: Installed | undefined;
      before(async function () {
        if (mode === 'webgpu') {
          installed = await installWebGpu();
          if (installed.missing !== undefined) {
            console.log(`        webgpu skipped: ${installed.missing}`);
            return this.skip();
          }
        }
        made = await gpu({ mode });
      });
      after(async () => {
        await made?.close();
        installed?.remove();
      });
      body(() => made!, mode);
    });
}
