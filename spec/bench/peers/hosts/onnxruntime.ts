/**
 * @file ONNX Runtime, on WebAssembly or native, one thread. It allocates its results itself on each call.
 */
import type { Host } from './host.js';
import { installed } from './host.js';
import { models } from '../onnx/models.js';

interface OrtTensor {
  readonly data: Float32Array;
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly run: (feeds: Readonly<Record<string, OrtTensor>>) => Promise<Readonly<Record<string, OrtTensor>>>;
  readonly release: () => Promise<void>;
}

/** What is used of it. */
interface Ort {
  readonly env: { readonly versions: Readonly<Record<string, string>>; readonly wasm: { numThreads: number } };
  readonly Tensor: new (type: 'float32', values: Float32Array, shape: readonly number[]) => OrtTensor;
  readonly InferenceSession: { readonly create: (model: Uint8Array, options: object) => Promise<Session> };
}

const NATIVE = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

export async function onnxruntime({ kind }: { readonly kind: 'web' | 'node' }): Promise<Host> {
  const module = await installed<Ort & { readonly default?: Ort }>(`onnxruntime-${kind}`);
  const ort = module.default?.InferenceSession === undefined ? module : module.default;
  if (kind === 'web') ort.env.wasm.numThreads = 1;
  const options = kind === 'web' ? { executionProviders: ['wasm'], graphOptimizationLevel: 'all' } : NATIVE;
  return {
    about: `${ort.env.versions[kind] ?? ort.env.versions['common']}, ${kind === 'web' ? 'wasm' : 'native'}`,
    job: (id) =>
      models[id] === undefined
        ? undefined
        : async (inputs, shapes) => {
            const session = await ort.InferenceSession.create(models[id](shapes), options);
            const feeds = Object.fromEntries(
              session.inputNames.map((name) => [name, new ort.Tensor('float32', inputs[name], shapes[name])]),
            );
            const [output] = session.outputNames;
            let last: OrtTensor | undefined;
            return {
              async run() {
                last = (await session.run(feeds))[output];
              },
              values: () => last?.data ?? [],
              free: () => session.release(),
            };
          },
  };
}
