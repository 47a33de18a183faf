/**
 * @file Where a run's lines go: outputs to one sink, late lines to another, and both are committed as one.
 */
import { fault } from '../errors/index.js';
import type { CommittingSink } from '../stream/checkpoint/sink.js';
import type { ErrorSink } from './error-sink.js';
import type { Told } from './units.js';

interface Mark {
  readonly call: string;
  readonly out: unknown;
  readonly late: unknown;
}

export interface RunSink extends CommittingSink<Told> {
  /** Resolves when the files are closed; what was written before is in them. */
  readonly closed: () => Promise<void>;
}

export interface RunSinkOptions {
  readonly out: CommittingSink<string>;
  readonly late: CommittingSink<string> | undefined;
  /** Lines for people: they are not committed. */
  readonly errors: ErrorSink;
  /** What the call asks for, as a text: a run goes on with the same alone. */
  readonly call: string;
}

export function runSink({ out, late, errors, call }: RunSinkOptions): RunSink {
  let closing: Promise<void> | undefined;
  let isOpen = false;
  const close = async (): Promise<void> => {
    const sinks = [out, ...(late === undefined ? [] : [late])];
    // What was told before an error is worth keeping; the next run cuts it off and tells it again.
    try {
      if (isOpen) for (const sink of sinks) await sink.commit();
    } finally {
      for (const sink of sinks) await sink.close?.();
    }
  };
  return {
    async open(mark) {
      const from = mark as Mark | undefined;
      if (from !== undefined && from.call !== call) throw otherCall(from.call, call);
      await out.open(from?.out);
      await late?.open(from?.late);
      isOpen = true;
    },
    write({ to, text }, index) {
      if (to !== 'error') return (to === 'out' ? out : late!).write(text, index);
      errors.write(text);
      return errors.room();
    },
    commit: async () => {
      const [ofOut, ofLate] = [out.commit(), late?.commit()];
      return { call, out: (await ofOut) ?? null, late: (await ofLate) ?? null } satisfies Mark;
    },
    close: () => (closing ??= close()),
    closed: () => (closing ??= close()),
  };
}

/** Names the first part that differs. */
function otherCall(before: string, now: string) {
  const [old, own] = [before, now].map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const part = Object.keys({ ...old, ...own }).find((name) => JSON.stringify(old[name]) !== JSON.stringify(own[name])) ?? 'call';
  return fault('E_ARGUMENT', {
    place: '--resume',
    rule: `a run goes on with the ${part} that it had`,
    expected: JSON.stringify(old[part]),
    actual: JSON.stringify(own[part]),
    hint: 'make the same call, or begin anew in another --checkpoint folder',
  });
}
