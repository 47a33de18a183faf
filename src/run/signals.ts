/**
 * @file One listener for each AbortSignal, however many requests it may cancel: Node warns of the eleventh.
 */

interface Heard {
  readonly waiting: Set<() => void>;
  readonly listener: () => void;
}

const known = new WeakMap<AbortSignal, Heard>();

/** Calls `act` when the signal is aborted; gives what forgets it. The signal must not be aborted already. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  let heard = known.get(signal);
  if (heard === undefined) {
    const waiting = new Set<() => void>();
    heard = {
      waiting,
      listener() {
        known.delete(signal);
        for (const each of [...waiting]) each();
      },
    };
    known.set(signal, heard);
    signal.addEventListener('abort', heard.listener, { once: true });
  }
  const { waiting, listener } = heard;
  const entry = (): void => act();
  waiting.add(entry);
  return () => {
    if (!waiting.delete(entry) || waiting.size > 0 || known.get(signal)?.waiting !== waiting) return;
    known.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}
