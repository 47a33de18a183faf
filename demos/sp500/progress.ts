/**
 * @file Progress on the standard error: one line that is rewritten on a terminal, four lines elsewhere.
 */
import { finalize, map, type MonoTypeOperatorFunction } from 'rxjs';

const WIDTH = 32;

/** Shows how far a stream of about `total` items is, with a label made from the latest. */
export const showProgress =
  <T>(total: number, label: (item: T) => string, stream: NodeJS.WriteStream = process.stderr): MonoTypeOperatorFunction<T> =>
  (items$) => {
    const step = Math.max(1, Math.floor(total / (stream.isTTY ? 100 : 4)));
    return items$.pipe(
      map((item, index) => {
        if ((index + 1) % step === 0) stream.write(lineOf(Math.min(1, (index + 1) / total), label(item), stream.isTTY));
        return item;
      }),
      finalize(() => void (stream.isTTY && stream.write('\r\x1b[2K'))),
    );
  };

function lineOf(share: number, label: string, isTerminal: boolean): string {
  const done = Math.round(share * WIDTH);
  const text = `  ${label}  ${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${String(Math.round(share * 100)).padStart(3)} %`;
  return isTerminal ? `\r${text}` : `${text}\n`;
}
