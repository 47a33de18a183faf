/**
 * @file Which modes compute on hardware here. Software adapters are hundreds of times slower than WebAssembly, so they do not count.
 */

/** What a mode computes on, as the engine names it; undefined where there is nothing. */
export interface Adapter {
  readonly mode: 'webgpu' | 'webgl2';
  readonly name: string;
  readonly isSoftware: boolean;
}

interface GpuAdapter {
  readonly info?: {
    readonly vendor?: string;
    readonly architecture?: string;
    readonly device?: string;
    readonly description?: string;
    readonly isFallbackAdapter?: boolean;
  };
  readonly isFallbackAdapter?: boolean;
}

interface WebGl {
  getExtension(name: string): { readonly UNMASKED_RENDERER_WEBGL?: number; readonly loseContext?: () => void } | null;
  getParameter(name: number): unknown;
}

type CanvasClass = new (width: number, height: number) => { getContext(kind: string): WebGl | null };

/** The globals that are asked. */
export interface Scope {
  readonly navigator?: { readonly gpu?: { readonly requestAdapter: () => Promise<GpuAdapter | null> } };
  readonly OffscreenCanvas?: CanvasClass;
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render|warp|mesa offscreen/i;

/** The adapters of a page or process, best first. */
export async function adapters(scope: Scope = globalThis): Promise<readonly Adapter[]> {
  return [await webgpu(scope), webgl2(scope)].filter((adapter) => adapter !== undefined);
}

async function webgpu({ navigator }: Scope): Promise<Adapter | undefined> {
  const adapter = await navigator?.gpu?.requestAdapter().catch(() => null);
  if (adapter === null || adapter === undefined) return undefined;
  const { vendor = '', architecture = '', device = '', description = '', isFallbackAdapter } = adapter.info ?? {};
  const name = [vendor, architecture, device, description].filter((part) => part !== '').join(' ');
  const isSoftware = adapter.isFallbackAdapter === true || isFallbackAdapter === true || SOFTWARE.test(name);
  return { mode: 'webgpu', name, isSoftware };
}

function webgl2({ OffscreenCanvas: Canvas }: Scope): Adapter | undefined {
  if (typeof Canvas !== 'function') return undefined;
  try {
    const context = new Canvas(1, 1).getContext('webgl2');
    if (context === null) return undefined;
    const told = context.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL;
    const name = told === undefined ? '' : String(context.getParameter(told));
    // Pages have few contexts to give.
    context.getExtension('WEBGL_lose_context')?.loseContext?.();
    return { mode: 'webgl2', name, isSoftware: name === '' || SOFTWARE.test(name) };
  } catch {
    // A page may forbid the context; then there is none.
    return undefined;
  }
}
