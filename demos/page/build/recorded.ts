/**
 * @file A plugin for vite that makes the page's data files from npm packages, so that none lies in the repository.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { firstValueFrom, toArray } from 'rxjs';
import type { Plugin } from 'vite';
import { COLUMNS, days } from '../../sp500/days.js';
import { DIGITS, PRICES, type Prices } from './recordings.js';

/** Digits of the package `mnist`, spread over each of its files, as bytes. */
export function digitBytes(): Uint8Array {
  const folder = join(dirname(createRequire(import.meta.url).resolve('mnist/package.json')), 'src/digits');
  const pixels = DIGITS.side ** 2;
  const images = DIGITS.learned + DIGITS.heldOut;
  const bytes = new Uint8Array(10 * images * pixels);
  for (let digit = 0; digit < 10; digit++) {
    const { data } = JSON.parse(readFileSync(join(folder, `${digit}.json`), 'utf8')) as { readonly data: readonly number[] };
    const stride = Math.floor(data.length / pixels / images);
    for (let image = 0; image < images; image++) {
      const from = image * stride * pixels;
      const to = (digit * images + image) * pixels;
      for (let pixel = 0; pixel < pixels; pixel++) bytes[to + pixel] = Math.round(255 * data[from + pixel]);
    }
  }
  return bytes;
}

async function prices(): Promise<Prices> {
  const rows = await firstValueFrom(days().pipe(toArray()));
  const close = COLUMNS.indexOf('close');
  return { dates: rows.map(({ date }) => date), closes: rows.map((row) => row.prices[close]) };
}

const MADE: ReadonlyMap<string, () => Uint8Array | Promise<string>> = new Map<string, () => Uint8Array | Promise<string>>([
  [DIGITS.file, digitBytes],
  [PRICES.file, async () => JSON.stringify(await prices())],
]);

/** Serves the files while developing, and emits them when building. */
export const recorded = (): Plugin => ({
  name: 'recorded',
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const make = MADE.get((request.url ?? '').split('?')[0].slice(1));
      if (make === undefined) return void next();
      Promise.resolve(make()).then((content) => response.end(content), next);
    });
  },
  async generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const [fileName, make] of MADE) this.emitFile({ type: 'asset', fileName, source: await make() });
  },
});
