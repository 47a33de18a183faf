/**
 * @file What the demo shows: one live line on a terminal, plain lines elsewhere, and a row for each seed.
 */
import { sparkline } from '../sp500/figures.js';
import type { Standing } from './seed.js';

const [BAR, CURVE] = [20, 20];
const INDENT = ' '.repeat(10);
/** A loss that is drawn as nothing. */
const LEAST = 0.02;

export interface Screen {
  readonly begins: (now: Standing, images: number) => void;
  readonly resumes: (now: Standing, path: string) => void;
  readonly step: (now: Standing) => void;
  readonly epoch: (now: Standing) => void;
  readonly stops: (now: Standing, path: string) => void;
  readonly ends: (now: Standing) => void;
}

const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`).padStart(6);
const count = (value: number): string => value.toLocaleString('en-US');

/** Losses fall by orders of magnitude, so a block stands for the logarithm of their mean over a part. */
function curve(losses: readonly number[], width: number): string {
  const parts = Array.from({ length: width }, (_, k) =>
    mean(losses.slice(Math.floor((k * losses.length) / width), Math.floor(((k + 1) * losses.length) / width))),
  );
  return sparkline(
    parts.map((loss) => Math.max(0, Math.log(loss / LEAST))),
    width,
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Results go to the standard output, and how far things are to the standard error. */
export function screen(live: NodeJS.WriteStream = process.stderr): Screen {
  const isTerminal = live.isTTY === true;
  const say = (line: string): void => {
    if (isTerminal) live.write('\r\x1b[2K');
    console.log(line);
  };
  const where = ({ step, epoch, epochs, loss }: Standing): string =>
    `after step ${count(step)} (epoch ${epoch} of ${epochs}), loss on unseen digits ${loss}`;
  const liveLine = (now: Standing): string => {
    const done = Math.round((BAR * now.step) / now.steps);
    const bar = '█'.repeat(done) + '░'.repeat(BAR - done);
    // The curve grows with the bar.
    const drawn = curve(now.losses, Math.max(1, done)).padEnd(CURVE);
    return `  seed ${now.seed}  ${bar}  loss ${mean(now.losses.slice(-20)).toFixed(3)} ${drawn}  unseen ${percent(now.accuracy)}`;
  };
  return {
    begins: ({ seed, steps, epochs }, images) =>
      void (
        isTerminal || live.write(`  seed ${seed}  learns from ${count(images)} digits: ${epochs} epochs, ${count(steps)} steps\n`)
      ),
    resumes: (now, path) => say(`  seed ${now.seed}  goes on ${where(now)}\n${INDENT}saved in ${path}`),
    step: (now) => void (isTerminal && now.step % 4 === 0 && live.write(`\r\x1b[2K${liveLine(now)}`)),
    epoch: (now) =>
      void live.write(
        isTerminal
          ? `\r\x1b[2K${liveLine(now)}`
          : `  seed ${now.seed}  epoch ${String(now.epoch).padStart(2)} of ${now.epochs}  loss ${now.loss.toFixed(4)} and ${percent(now.accuracy).trim()} right on unseen digits\n`,
      ),
    stops: (now, path) => say(`  seed ${now.seed}  stopped ${where(now)}\n${INDENT}saved in ${path}: start again to go on`),
    ends: (now) =>
      say(
        `  seed ${now.seed}  ${percent(now.accuracy)}  ${curve(now.losses, CURVE)}  ${now.losses[0].toFixed(2)} → ${mean(now.losses.slice(-20)).toFixed(3)}  ${now.seconds.toFixed(1).padStart(5)} s`,
      ),
  };
}
