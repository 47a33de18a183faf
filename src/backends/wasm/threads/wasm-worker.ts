/**
 * @file The thread that helps: it takes parts of kernels that the main thread has laid out in shared memory, and runs them.
 *
 * One file without imports, which runs wherever a bundler has put it. It hears one message, its orders; everything else goes
 * through the memory, as a thread that waits in `Atomics.wait` hears no messages.
 */

/** Places of int32 words that all threads share, as indices. */
export interface Places {
  /** Counts the kernels; changes when there are new parts. */
  readonly sequence: number;
  /** Parts that nobody has taken yet: whoever lowers it from n to n − 1 has taken part n − 1. */
  readonly untaken: number;
  /** Parts that are not done yet. */
  readonly undone: number;
  /** The index of the job's words: valid while one of its parts is taken and not done. */
  readonly job: number;
  /** What a kernel returned that was not 0. */
  readonly answer: number;
  /** What went wrong, as the sum of `Troubles`; 0 is nothing. */
  readonly trouble: number;
  /** The message of the first failure: its length, then at most `longest` characters. */
  readonly text: number;
  readonly longest: number;
  /** The address of this worker's working memory. */
  readonly scratch: number;
}

/** Bits of `trouble`, and the first word of a part that met with it: not begun and left to the main thread, or failed. */
export interface Troubles {
  readonly refused: number;
  readonly failed: number;
}

/** What a worker is told once. */
export interface Orders {
  readonly memory: WebAssembly.Memory;
  readonly places: Places;
  readonly troubles: Troubles;
  /** Loads of `sequence` before this thread waits. */
  readonly spins: number;
}

type Run = (descriptor: number) => number | undefined;

function work({ memory, places, troubles, spins }: Orders): never {
  const words = new Int32Array(memory.buffer);
  /** By slot; a slot that was given to another module has another number. */
  const modules: { readonly id: number; readonly run: Run }[] = [];

  const runOf = (job: number): Run => {
    const [slot, id, address, length] = words.subarray(job, job + 4);
    const known = modules[slot] as (typeof modules)[number] | undefined;
    if (known?.id === id) return known.run;
    // A copy, as engines compile no bytes that another thread may change.
    const bytes = new Uint8Array(memory.buffer, address >>> 0, length).slice();
    const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
    modules[slot] = { id, run: run as Run };
    return run as Run;
  };
  const complain = (message: string): void => {
    words[places.text] = Math.min(message.length, places.longest);
    for (let k = 0; k < words[places.text]; k++) words[places.text + 1 + k] = message.charCodeAt(k);
  };
  const perform = (job: number, index: number): void => {
    const [count, length] = [words[job + 4], words[job + 5]];
    const part = job + 6 + index * length;
    let run: Run;
    try {
      run = runOf(job);
    } catch {
      words[part] = troubles.refused;
      Atomics.or(words, places.trouble, troubles.refused);
      return;
    }
    const descriptor = part + 1;
    words[descriptor + count] = words[places.scratch];
    try {
      const answer = run(descriptor << 2);
      if (answer !== undefined && answer !== 0) Atomics.store(words, places.answer, answer);
    } catch (error) {
      const before = Atomics.or(words, places.trouble, troubles.failed);
      if ((before & troubles.failed) === 0) complain(error instanceof Error ? error.message : String(error));
    }
  };
  /** A part of whatever job there is; −1 when none is left. Only after this may the job be read. */
  const take = (): number => {
    for (;;) {
      const left = Atomics.load(words, places.untaken);
      if (left <= 0) return -1;
      if (Atomics.compareExchange(words, places.untaken, left, left - 1) === left) return left - 1;
    }
  };

  for (;;) {
    const seen = Atomics.load(words, places.sequence);
    for (let part = take(); part >= 0; part = take()) {
      perform(Atomics.load(words, places.job), part);
      if (Atomics.sub(words, places.undone, 1) === 1) Atomics.notify(words, places.undone);
    }
    let spin = 0;
    while (spin < spins && Atomics.load(words, places.sequence) === seen) spin++;
    if (spin === spins) Atomics.wait(words, places.sequence, seen);
  }
}

/** The worker's end of its channel on a page. */
interface PageScope {
  onmessage: ((event: { readonly data: Orders }) => void) | null;
  postMessage: (message: string) => void;
}

// No import statement: a page has no such module.
const port = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort;
if (port) {
  port.once('message', work);
  port.postMessage('ready');
} else {
  const scope = globalThis as unknown as PageScope;
  scope.onmessage = ({ data }) => work(data);
  scope.postMessage('ready');
}
