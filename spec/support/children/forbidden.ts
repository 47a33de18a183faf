/**
 * @file Run with `--disallow-code-generation-from-strings`: the corpus on the default backend, told as JSON.
 */
import { js } from '../../../src/index.js';
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
    remarks: js().capabilities.remarks,
    features: js().capabilities.features,
    evaluating: codeOf(() => new Function('return 1')),
    generating: codeOf(() => js({ kernels: 'generate' })),
  }),
);
