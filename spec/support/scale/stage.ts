/**
 * @file One stage of a program's work: what it took, and what memory was in use at its end.
 */
import type { Stage } from './measure.js';

const megabytes = (bytes: number): number => bytes / 2 ** 20;

/** Runs work, and adds what it took to a list. */
export const stageOn =
  (stages: Stage[]) =>
  <T>(name: string, work: () => T): T => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    const result = work();
    const { user, system } = process.cpuUsage(used);
    // Waiting for a busy machine is no work of ours, nor are the collector's threads when they run beside us.
    const seconds = Math.min((performance.now() - start) / 1e3, (user + system) / 1e6);
    stages.push({
      name,
      seconds,
      heap: megabytes(process.memoryUsage().heapUsed),
      resident: megabytes(process.memoryUsage.rss()),
    });
    return result;
  };
