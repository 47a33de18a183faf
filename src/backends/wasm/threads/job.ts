/**
 * @file A kernel of several parts laid out in shared memory, as the workers read it.
 *
 * Words: the module's slot, number, address and length, how many addresses a part has, how many words; then for each part its
 * state and its descriptor.
 */
import { byteSize } from '../../../tensor/dtype.js';
import { accessesOf, type KernelIR } from '../../../codegen/ir.js';
import type { Launch } from '../launch.js';
import type { WasmMemory } from '../memory.js';
import type { Modules } from '../modules.js';
import type { Crew, Job } from './crew.js';
import type { Part } from './split.js';

const HEAD = 6;

/** @param working tells where this thread's working memory lies */
export function launchParts(
  memory: WasmMemory,
  words: Int32Array,
  crew: Crew,
  modules: Modules,
  ir: KernelIR,
  parts: readonly Part[],
  working: () => number,
): Launch {
  const [{ kernel }] = parts;
  const run = modules.runOf(kernel);
  const { lent, release: giveBack } = modules.lend(kernel);
  const whole = accessesOf(ir);
  const count = whole.length;
  const length = 1 + count + 1 + kernel.words.length;
  let region;
  try {
    region = memory.borrow(4 * (count + HEAD + parts.length * length));
  } catch (error) {
    giveBack();
    throw error;
  }
  const { release } = region;
  const bases = region.address >>> 2;
  const at = bases + count;
  words.set([lent.slot, lent.id, lent.region.address, lent.length, count, length], at);
  // How far a part's elements lie behind the whole's, in bytes.
  const further = new Int32Array(parts.length * count);
  parts.forEach((part, p) => {
    const stateAt = at + HEAD + p * length;
    words[stateAt] = 0;
    words.set(part.kernel.words, stateAt + 1 + count + 1);
    accessesOf(part.ir).forEach(({ dtype, offset }, k) => {
      further[p * count + k] = (offset - whole[k].offset) * byteSize(dtype);
    });
  });
  const job: Job = {
    at,
    parts: parts.length,
    stateAt: (part) => at + HEAD + part * length,
    perform(part) {
      const descriptor = at + HEAD + part * length + 1;
      words[descriptor + count] = working();
      return run(descriptor << 2);
    },
  };
  return {
    at: bases,
    start() {
      for (let p = 0, k = 0; p < parts.length; p++) {
        const descriptor = at + HEAD + p * length + 1;
        for (let each = 0; each < count; each++, k++) words[descriptor + each] = words[bases + each] + further[k];
      }
      return crew.perform(job);
    },
    release() {
      release();
      giveBack();
    },
  };
}
