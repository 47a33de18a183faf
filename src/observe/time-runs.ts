/**
 * @file How long kernels take that compute one op, in the unit of the clock.
 */
import type { Backend, Kernel } from '../backends/index.js';
import type { Place, Work } from '../codegen/lower.js';
import type { Job } from '../ops/evaluate/job.js';
import type { Tensor } from '../tensor/tensor.js';

const ROUNDS = 5;

/** The least time of one run, over rounds of `runs` runs, after one round that is not counted. */
export async function timeRuns(
  backend: Backend,
  { inputs, shape, dtype }: Pick<Job, 'inputs' | 'shape' | 'dtype'>,
  { calls, temporaries }: Work,
  runs: number,
  now: () => number,
): Promise<number> {
  const kernels: Kernel[] = [];
  const made: Tensor[] = [];
  const own = (tensor: Tensor): Tensor => {
    made.push(tensor);
    return tensor;
  };
  try {
    const read = inputs.map((tensor) => own(backend.upload(tensor)));
    const spare = temporaries.map((each) => own(backend.allocate(each.shape, each.dtype)));
    const result = own(backend.allocate(shape, dtype));
    const at = (place: Place): Tensor =>
      place.of === 'output' ? result : place.of === 'input' ? read[place.index] : spare[place.index];
    const steps = calls.map(({ ir, inputs: from, output }) => {
      const kernel = backend.compile(ir);
      kernels.push(kernel);
      const [operands, results] = [from.map(at), [at(output)]];
      return () => kernel.run(operands, results);
    });
    let least = Infinity;
    for (let round = 0; round <= ROUNDS; round++) {
      const start = now();
      for (let k = 0; k < runs; k++)
        for (const step of steps) {
          const done = step();
          // Waiting for nothing takes as long as a small kernel.
          if (done !== undefined) await done;
        }
      if (round > 0) least = Math.min(least, (now() - start) / runs);
    }
    return least;
  } finally {
    for (const kernel of kernels) kernel.dispose();
    for (const tensor of made) if (backend.owns?.(tensor) === true) backend.release?.(tensor);
  }
}
