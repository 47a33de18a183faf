/**
 * @file The pages that specs run in: what each is served with, which specs it runs, and what it must find there.
 *
 * A backend that only browsers have is one more entry.
 */

/** What a page must find; its own specs read it from the address. */
export interface Findings {
  /** Memory may be shared with workers. */
  readonly isolated: boolean;
  /** Functions may be made from text. */
  readonly eval: boolean;
  readonly wasm: boolean;
  /** Part of the reason why there are no threads; undefined where there are. */
  readonly noThreads?: string;
}

export interface Configuration {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly finds: Findings;
  /** Paths of spec files, or every one that needs nothing of Node. */
  readonly specs: readonly string[] | 'portable';
  /** Whether it runs in `npm test`, or at the larger sizes. */
  readonly size: 'test' | 'ci';
  /** The page is what differs, so its specs draw at CI's size and print what they find; others draw as in `npm test`, in silence. */
  readonly isLarge?: true;
}

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

const policy = (script: string, worker = "'self'") => ({
  'content-security-policy': `default-src 'self'; script-src 'self' ${script}; worker-src ${worker}`,
});

/** Of the page's own: what it finds, and that its main thread never blocks. */
export const PAGE_SPECS = ['surroundings', 'threads', 'waits', 'pool'].map((name) => `spec/browser/page/${name}.ts`);

const STREAMS = ['spec/run/run-spec.ts', 'spec/run/live-spec.ts'];
const JS = ['spec/oracle/js-spec.ts', ...STREAMS];
const WASM = ['spec/oracle/wasm-spec.ts', 'spec/backends/wasm/live-spec.ts'];

/** Of gpu.js, which no other page loads. */
export const GPU = [
  'spec/backends/denormals-spec.ts',
  ...['conformance', 'device', 'flat', 'handles', 'levels', 'loss', 'modes', 'pieces', 'real-device'].map(
    (name) => `spec/backends/gpu/${name}-spec.ts`,
  ),
  'spec/oracle/gpu-spec.ts',
  'spec/oracle/gpuBugs-spec.ts',
  'spec/seed/capabilities-spec.ts',
];

export const CONFIGURATIONS: readonly Configuration[] = [
  {
    title: 'on a cross-origin isolated page',
    headers: ISOLATED,
    finds: { isolated: true, eval: true, wasm: true },
    specs: [...JS, ...WASM],
    size: 'test',
  },
  {
    title: 'on a cross-origin isolated page, every spec that needs nothing of Node',
    headers: ISOLATED,
    finds: { isolated: true, eval: true, wasm: true },
    specs: 'portable',
    size: 'ci',
  },
  {
    title: 'on a page that is not isolated',
    headers: {},
    finds: { isolated: false, eval: true, wasm: true, noThreads: 'the page is not cross-origin isolated' },
    specs: [...JS, ...WASM],
    size: 'ci',
  },
  {
    title: 'under a policy that allows unsafe-eval',
    headers: { ...ISOLATED, ...policy("'unsafe-eval'") },
    finds: { isolated: true, eval: true, wasm: true },
    specs: JS,
    size: 'ci',
  },
  {
    title: 'under a policy that allows wasm-unsafe-eval alone',
    headers: { ...ISOLATED, ...policy("'wasm-unsafe-eval'") },
    finds: { isolated: true, eval: false, wasm: true },
    specs: [...JS, ...WASM],
    size: 'ci',
  },
  {
    title: 'under a policy that forbids workers',
    headers: { ...ISOLATED, ...policy("'wasm-unsafe-eval'", "'none'") },
    finds: { isolated: true, eval: false, wasm: true, noThreads: 'a worker did not start' },
    specs: [],
    size: 'ci',
  },
  {
    title: 'under a policy that allows neither',
    headers: { ...ISOLATED, ...policy('') },
    finds: { isolated: true, eval: false, wasm: false },
    specs: JS,
    size: 'ci',
  },
  {
    title: 'on a page with WebGL2 and WebGPU',
    headers: {},
    finds: { isolated: false, eval: true, wasm: true, noThreads: 'the page is not cross-origin isolated' },
    specs: GPU,
    size: 'ci',
    isLarge: true,
  },
];
