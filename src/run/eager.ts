/**
 * @file Ops on plain tensors, carried out by the engine's kernels once there is enough to compute.
 *
 * Small operands stay with the evaluator: making a kernel would cost more than it saves. Results are ordinary tensors,
 * whoever computed them.
 */
import type { Backend, Kernel } from '../backends/index.js';
import { kernelsOf, repays, savingOf } from '../backends/wasm/saving.js';
import { lower, type Place, type Work } from '../codegen/lower.js';
import { EinstreamError } from '../errors/index.js';
import { evaluateJob, readJob } from '../ops/evaluate.js';
import type { Job } from '../ops/evaluate/job.js';
import { setEagerInterpreter } from '../ops/interpreter.js';
import { hostCopy } from '../tensor/host-copy.js';
import { numElements } from '../tensor/shape.js';
import { liveArray, type Tensor } from '../tensor/tensor.js';
import { defaultBackend, plainBackend } from './default-backend.js';
import { sharesOf } from './paired.js';
import { isNoRoom } from './room.js';

/** Elements below which the evaluator is quicker than making and running a kernel. */
const WORTH = 2048;

const elements = ({ inputs, shape }: Job): number => Math.max(...inputs.map(({ size }) => size), numElements(shape));

function computeJob(job: Job): Tensor {
  if (job.op.view !== undefined || elements(job) < WORTH) return evaluateJob(job);
  const lowered = loweredFor(job, plainBackend());
  if (lowered.kind === 'view') return evaluateJob(job);
  job.inputs.forEach(liveArray); // kernels read memory without asking whether it is still theirs
  const { large } = sharesOf(defaultBackend());
  const saving = large === undefined ? 0 : savingOf(lowered, kernelsOf(plainBackend().capabilities));
  if (large === undefined || !repays(saving, [...job.inputs, job])) return computed(job, lowered, plainBackend());
  try {
    const backend = large();
    const result = computed(job, loweredFor(job, backend) as Work, backend);
    const copy = hostCopy(result);
    backend.release?.(result);
    return copy;
  } catch (error) {
    // What is wrong with the op itself is wrong with it on js too.
    if (!isNoRoom(error) && !(error instanceof EinstreamError && error.code === 'E_CODEGEN')) throw error;
    return computed(job, lowered, plainBackend());
  }
}

const loweredFor = (job: Job, { capabilities: { partialSums, maxResults } }: Backend) =>
  lower({ op: job.op, params: job.params, inputs: job.inputs, output: job, partialSums, maxResults });

/** The result in the backend's memory; nothing else stays there. */
function computed(job: Job, { calls, temporaries }: Work, backend: Backend): Tensor {
  const made: Tensor[] = [];
  const allocate = ({ shape, dtype }: Pick<Job, 'shape' | 'dtype'>): Tensor => {
    const tensor = backend.allocate(shape, dtype);
    made.push(tensor);
    return tensor;
  };
  let kernel: Kernel | undefined;
  try {
    const spare = temporaries.map(allocate);
    const result = allocate(job);
    const at = (place: Place): Tensor =>
      place.of === 'output' ? result : place.of === 'input' ? job.inputs[place.index] : spare[place.index];
    for (const { ir, inputs, output } of calls) {
      kernel = backend.compile(ir);
      void kernel.run(inputs.map(at), [at(output)]);
      kernel.dispose();
      kernel = undefined;
    }
    made.pop();
    return result;
  } finally {
    kernel?.dispose();
    for (const tensor of made) backend.release?.(tensor);
  }
}

setEagerInterpreter({ level: 0, apply: (op, operands, params) => computeJob(readJob(op, operands, params)) });
