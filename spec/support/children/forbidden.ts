/**
 * @file Run with `--disallow-code-generation-from-strings`: the corpus on the default backend and on wasm, told as JSON.
 */
import { js, wasm } from '../../../src/index.js';
import { runCorpus } from '../corpusDigest.js';

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'nothing was thrown';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

console.log(
  JSON.stringify({
    ...runCorpus(),
    onWasm: runCorpus(await wasm({ deterministic: true })),
    remarks: js().capabilities.remarks,
    features: js().capabilities.features,
    evaluating: codeOf(() => new Function('return 1')),
    generating: codeOf(() => js({ kernels: 'generate' })),
  }),
);
