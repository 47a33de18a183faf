/**
 * @file What a run that names no backend does where something is missing (the process's title says what): told as JSON.
 */
const missing = process.title;
const scope = globalThis as unknown as Record<string, unknown>;
const hasVectors = (bytes: Uint8Array): boolean => bytes.includes(0xfd);

/** Modules that may be made: none on a page whose Content-Security-Policy lacks 'wasm-unsafe-eval', which may validate them. */
function allowModules(isAllowed: (bytes: Uint8Array) => boolean): void {
  const { Module } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, [bytes]: [Uint8Array<ArrayBuffer>]) {
      if (!isAllowed(bytes)) throw new WebAssembly.CompileError('refused to compile');
      return new target(bytes);
    },
  });
}

if (missing === 'wasm') delete scope['WebAssembly'];
if (missing === 'permission') allowModules(() => false);
if (missing === 'simd') {
  const { validate } = WebAssembly;
  allowModules((bytes) => !hasVectors(bytes));
  WebAssembly.validate = (bytes) => !hasVectors(bytes as Uint8Array) && validate(bytes);
}
if (missing === 'memory')
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct() {
      throw new RangeError('could not allocate memory');
    },
  });

const { backendOf, environment, evaluateSync, executor, graph, input, js, matmul, ones, run, wasm } =
  await import('../../../src/index.js');
const { of, tap } = await import('rxjs');

const g = graph({ x: input(['n', 64]) }, ({ x }) => ({ y: matmul(x, ones([64, 64])) }));
const computing: string[] = [];
const told: string[] = [];
for (const n of [1, 64, 1, 128])
  of({ x: ones([n, 64]) })
    .pipe(
      run(g, {
        use: [
          (step) => (frames$) =>
            frames$.pipe(
              step,
              tap((frame) => computing.push(backendOf(frame).name)),
            ),
        ],
        onDiagnostic: ({ code, message }) => void told.push(`${code} ${message}`),
      }),
    )
    .subscribe();
const { y } = evaluateSync(g, { x: ones([64, 64]) });
console.log(
  JSON.stringify({
    asked: executor().capabilities().name,
    remarks: executor().capabilities().remarks,
    environment: environment(),
    computing,
    told,
    right: (y.data as Float32Array).every((each) => each === 64),
    eager: (matmul(ones([64, 64]), ones([64, 64])).data as Float32Array).every((each) => each === 64),
    named: await wasm().then(
      () => 'made',
      (error: { code: string }) => error.code,
    ),
    js: js().name,
  }),
);
