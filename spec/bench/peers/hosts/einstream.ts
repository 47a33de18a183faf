/**
 * @file The engine whole: one subscription of `feeds$.pipe(run(graph, { backend }))` for all executions.
 *
 * `'borrow'`: feeds lie in the backend's memory and outputs are read there, as peers keep theirs. `'copy'`: feeds are arrays of
 * the program's own, and so are outputs. Params are in the backend's memory either way.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Subject } from 'rxjs';
import type { Backend, Feed, Tensor, WasmOptions } from '../../../../src/index.js';
import { graphs, type Engine, type Started } from '../graphs.js';
import type { Inputs } from '../references.js';
import type { Host, Job, Shapes } from './host.js';
import { training } from './training.js';

export interface EinstreamSettings {
  /** The folder of a built engine. */
  readonly engine: string;
  readonly wasm: WasmOptions;
  readonly outputs: 'borrow' | 'copy';
}

export async function einstream({ engine: folder, wasm, outputs }: EinstreamSettings): Promise<Host> {
  const engine = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as Engine;
  const backend = await engine.wasm(wasm);
  const made = graphs(engine);
  const { name, remarks } = backend.capabilities;

  const place = (values: Float32Array, shape: readonly number[]): Tensor => {
    const placed = backend.allocate(shape, 'float32');
    (placed.data as Float32Array).set(values);
    return placed;
  };
  const start = (id: string, inputs: Inputs, shapes: Shapes): Job => {
    const started = made[id](inputs, shapes);
    const { graph, fed } = started;
    const feedOf = (name: string): Tensor =>
      outputs === 'copy' ? engine.tensor(inputs[name], { shape: shapes[name] }) : place(inputs[name], shapes[name]);
    const feeds = Object.fromEntries(fed.map((name) => [name, feedOf(name)]));
    const { run, values, free } =
      id === 'train64' ? training(engine, backend, started, feeds, outputs) : streamed(engine, backend, graph, feeds, outputs);
    return {
      run,
      values,
      free() {
        free();
        if (outputs === 'borrow') for (const feed of Object.values(feeds)) backend.release?.(feed);
      },
    };
  };
  return {
    about: `${name}: ${remarks.join('; ')}; outputs: ${outputs}`,
    job: (id) => (id in made ? (inputs, shapes) => start(id, inputs, shapes) : undefined),
  };
}

function streamed(
  engine: Engine,
  backend: Backend,
  graph: Started['graph'],
  feeds: Readonly<Record<string, Feed>>,
  outputs: 'borrow' | 'copy',
) {
  const feeds$ = new Subject<Readonly<Record<string, Feed>>>();
  let count = 0;
  let wanted = 0;
  let values: ArrayLike<number> = [];
  let failure: unknown;
  const subscription = feeds$.pipe(engine.run(graph, { backend, outputs })).subscribe({
    next: ({ y }) => {
      count++;
      if (count === wanted) values = Float32Array.from(y.data as Float32Array);
    },
    error: (error: unknown) => (failure = error),
  });
  const run = (): void => {
    const before = count;
    feeds$.next(feeds);
    if (count !== before + 1) throw new Error('no output came', { cause: failure });
  };
  return {
    run,
    values: () => {
      wanted = count + 1;
      run();
      return values;
    },
    free: () => subscription.unsubscribe(),
  };
}
