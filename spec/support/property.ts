/**
 * @file The seed and the number of runs of every property test.
 *
 * The seed is one for the whole process and is printed, so that a failure anywhere can be replayed
 * with `EINSTREAM_SEED=<seed> npm test -- -g <title>`.
 */

type Size = 'test' | 'ci' | 'soak';

const sizes: readonly string[] = ['test', 'ci', 'soak'];

function sizeOfRun(): Size {
  const size = process.env['EINSTREAM_SIZE'] || 'test';
  if (!sizes.includes(size)) throw new Error(`EINSTREAM_SIZE is "${size}"; it may be ${sizes.join(', ')} or absent`);
  return size as Size;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isInteger(seed)) throw new Error(`EINSTREAM_SEED is "${text}"; it must be an integer`);
  return seed;
}

let chosen: number | undefined;

/** The seed of this process: `EINSTREAM_SEED`, or one drawn at the first call and printed. */
export function propertySeed(): number {
  if (chosen === undefined) {
    const given = process.env['EINSTREAM_SEED'];
    chosen = given ? parseSeed(given) : Math.floor(Math.random() * 0x7fffffff);
    console.log(`  property seed: EINSTREAM_SEED=${chosen}`);
  }
  return chosen;
}

/** How many runs a property gets: in `npm test`, in CI (`EINSTREAM_SIZE=ci`), in a soak (`EINSTREAM_SIZE=soak`). */
export function propertyRuns(test: number, ci: number, soak: number): number {
  return { test, ci, soak }[sizeOfRun()];
}

/** True in CI and in a soak: for what takes seconds and shows nothing that a developer's change is likely to break. */
export const isLarge = (): boolean => sizeOfRun() !== 'test';
