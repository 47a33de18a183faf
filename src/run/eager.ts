/**
 * @file Ops on plain tensors, carried out by the engine's kernels once there is enough to compute.
 *
 * Small operands stay with the evaluator: making a kernel would cost more than it saves.
 */
import { lower } from '../codegen/lower.js';
import { evaluateJob, readJob } from '../ops/evaluate.js';
import type { Job } from '../ops/evaluate/job.js';
import { setEagerInterpreter } from '../ops/interpreter.js';
import { liveArray, type Tensor } from '../tensor/tensor.js';
import { defaultBackend } from './default-backend.js';

/** Elements below which the evaluator is quicker than making and running a kernel. */
const WORTH = 2048;

const elements = ({ inputs, shape }: Job): number =>
  Math.max(
    ...inputs.map(({ size }) => size),
    shape.reduce((product, size) => product * size, 1),
  );

function computeJob(job: Job): Tensor {
  if (job.op.view !== undefined || elements(job) < WORTH) return evaluateJob(job);
  const lowered = lower({ op: job.op, params: job.params, inputs: job.inputs, output: job });
  if (lowered.kind === 'view') return evaluateJob(job);
  job.inputs.forEach(liveArray); // kernels read memory without asking whether it is still theirs
  const backend = defaultBackend();
  const result = backend.allocate(job.shape, job.dtype);
  const temporaries = lowered.temporaries.map(({ shape, dtype }) => backend.allocate(shape, dtype));
  for (const { ir, inputs, output } of lowered.calls) {
    const kernel = backend.compile(ir);
    void kernel.run(
      inputs.map((place) =>
        place.of === 'input' ? job.inputs[place.index] : place.of === 'temporary' ? temporaries[place.index] : result,
      ),
      [output.of === 'temporary' ? temporaries[output.index] : result],
    );
    kernel.dispose();
  }
  return result;
}

setEagerInterpreter({ level: 0, apply: (op, operands, params) => computeJob(readJob(op, operands, params)) });
