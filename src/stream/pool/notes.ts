/**
 * @file What a pool tells of beside answers: workers that were lost, work that was done elsewhere.
 */
import { diagnose, type Diagnostic, type EinstreamError } from '../../errors/index.js';

export interface Notes {
  readonly lost: (error: EinstreamError) => void;
  /** Told once. */
  readonly degraded: () => void;
}

/** A listener that throws is the listener's own affair: the pool goes on, and the error is reported as uncaught. */
export function notesFor(listener: ((diagnostic: Diagnostic) => void) | undefined): Notes {
  let isTold = false;
  const tell = (diagnostic: Diagnostic): void => {
    try {
      listener?.(diagnostic);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
  return {
    lost: ({ diagnostic }) => tell({ ...diagnostic, severity: 'warning' }),
    degraded() {
      if (isTold) return;
      isTold = true;
      tell(
        diagnose('E_WORKER_LOST', {
          place: 'degrade',
          rule: 'no worker is there, so this thread computes',
          hint: 'pool.isDegraded(outputs) tells which outputs',
          severity: 'warning',
        }),
      );
    },
  };
}
