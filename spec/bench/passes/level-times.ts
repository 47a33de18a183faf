/**
 * @file Levels side by side on graphs that must never be slower for having been optimised. Results are checked against `js` at `none`.
 *
 * The least of the turns counts, as other processes take the processor too.
 */
import { evaluateSync, js, wasm, type Level } from '../../../src/index.js';
import { ALLOWED, benchContender, type BenchContender } from '../../../src/cli/bench-contenders.js';
import { benching } from '../../../src/cli/benching.js';
import { NEVER_SLOWER, type Subject } from './graphs.js';

export const COMPARED = ['none', 'standard', 'aggressive'] as const satisfies readonly Level[];

export interface LevelTimes {
  readonly subject: string;
  readonly backend: 'js' | 'wasm';
  /** Milliseconds of a frame, and kernels, in the order of the levels compared. */
  readonly ms: readonly number[];
  readonly kernels: readonly number[];
}

export async function levelTimes(turns: number, backends: readonly LevelTimes['backend'][]): Promise<readonly LevelTimes[]> {
  const rows: LevelTimes[] = [];
  for (const name of backends) {
    const backend = name === 'js' ? js() : await wasm();
    const contend = ({ graph, feeds, name: subject }: Subject): readonly BenchContender[] => {
      const want = evaluateSync(graph, feeds, { backend: js(), level: 'none' });
      return COMPARED.map((level) => {
        const contender = benchContender({ graph, feeds, level, name, backend, want, onDiagnostic: ({ message }) => { throw new Error(message); } }); // prettier-ignore
        if (contender.offBy <= ALLOWED) return contender;
        throw new Error(`${subject} on ${name} at ${level}: results are off by ${contender.offBy}`);
      });
    };
    for (const make of NEVER_SLOWER) {
      const subject = make();
      const contenders = contend(subject);
      const pause = (): Promise<void> => Promise.resolve();
      const { times } = await benching(contenders, {
        clock: () => performance.now(),
        runs: turns,
        isStopped: () => false,
        pause,
      });
      rows.push({
        subject: subject.name,
        backend: name,
        ms: times!.map(({ leastMs }) => leastMs),
        kernels: contenders.map(({ kernels }) => kernels),
      });
    }
    await backend.close();
  }
  return rows;
}
