/**
 * @file The jobs of one mode: compiling, calling, staying on the device, and a product of matrices.
 */
import type { Backend, Kernel, Tensor } from '../../../src/index.js';
import { elementwise, expected, product, requireSame, type Subject } from './subjects.js';
import { timed, type Job } from './turns.js';

/** A call and what it writes to. */
interface Ready {
  readonly kernel: Kernel;
  readonly inputs: readonly Tensor[];
  readonly output: Tensor;
  /** Runs, and brings the result to the host. */
  readonly whole: () => Promise<void>;
}

function ready(backend: Backend, { ir, inputs, shape }: Subject): Ready {
  const kernel = backend.compile(ir);
  const output = backend.allocate(shape, 'float32');
  const whole = async (): Promise<void> => {
    await kernel.run(inputs, [output]);
    await backend.device?.fetch([output]);
  };
  return { kernel, inputs, output, whole };
}

let salt = 0;

/** From loop IR to the first result, of a kernel that is like none before. */
const compiling = (name: string, backend: Backend, subjectOf: (salt: number) => Subject): Job => ({
  name,
  async turn() {
    const subject = subjectOf(++salt);
    const start = performance.now();
    const { whole, output, kernel } = ready(backend, subject);
    await whole();
    const took = performance.now() - start;
    requireSame(name, output, expected(subject));
    kernel.dispose();
    backend.release?.(output);
    return took;
  },
});

/** A call with elements of the host, and its result there. */
export function calling(name: string, backend: Backend, subject: Subject, count: number): Job {
  const own = { ...subject, inputs: subject.inputs.map((tensor) => backend.upload(tensor)) };
  const call = ready(backend, backend.device === undefined ? own : subject);
  const want = expected(subject);
  let isChecked = false;
  return {
    name,
    async turn() {
      const took = await timed(count, call.whole);
      if (!isChecked) requireSame(name, call.output, want);
      isChecked = true;
      return took;
    },
  };
}

/** Steps that hand their result to the next one: on the device, or by way of the host. */
function stepping(name: string, backend: Backend, isResident: boolean): Job {
  const steps = 16;
  const subject = elementwise(8192, 2, 1);
  const kernel = backend.compile(subject.ir);
  const pair = [backend.allocate(subject.shape, 'float32'), backend.allocate(subject.shape, 'float32')];
  const want = expected(subject, steps + 1);
  return {
    name,
    async turn() {
      await kernel.run(subject.inputs, [pair[0]]);
      let at = 0;
      const took = await timed(steps, async () => {
        const [from, to] = [pair[at % 2], pair[++at % 2]];
        if (!isResident) {
          await backend.device!.fetch([from]);
          backend.device!.open(from);
        }
        await kernel.run([from], [to]);
      });
      const start = performance.now();
      await backend.device!.fetch([pair[at % 2]]);
      // All steps have ended only now.
      const each = took + (performance.now() - start) / steps;
      requireSame(name, pair[at % 2], want);
      return each;
    },
  };
}

/** Side of the matrices. */
const SIDE = 256;

/** Jobs by what the table calls them. `naive` computes one element a thread. */
export function jobsOf(mode: string, backend: Backend, naive: Backend): readonly Job[] {
  const named = (name: string): string => `${mode} ${name}`;
  const matrices = product(SIDE, SIDE, SIDE);
  const stays = backend.device !== undefined;
  return [
    compiling(named('compile tiny'), backend, (seed) => elementwise(16, 2, seed)),
    compiling(named('compile 50 ops'), backend, (seed) => elementwise(16, 50, seed)),
    compiling(named('compile einsum'), backend, (seed) => product(32, 16 + (seed % 4096), 32)),
    calling(named('call 16'), backend, elementwise(16, 2, 1), 20),
    calling(named('call 8192'), backend, elementwise(8192, 2, 1), 20),
    ...(stays ? [stepping(named('step resident'), backend, true), stepping(named('step by host'), backend, false)] : []),
    calling(named('product naive'), naive, matrices, 1),
    calling(named('product tiled'), backend, matrices, 1),
  ];
}

/** The same product by another backend. */
export const productBy = (name: string, backend: Backend): Job => calling(name, backend, product(SIDE, SIDE, SIDE), 1);
