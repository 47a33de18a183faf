/**
 * @file Malicious names in every field, and a stream, after the shared prototypes were frozen; told as JSON.
 */
import './freeze.js';
import { from, lastValueFrom, map, toArray } from 'rxjs';
import { graph, input, mul, run, sum } from '../../../src/index.js';
import { MALICIOUS_NAMES } from '../maliciousNames.js';
import { DEFINING, NAME_FIELDS } from '../nameFields.js';
import { tryNames } from '../tryNames.js';

const names = MALICIOUS_NAMES.filter((name, k) => k % 8 === 0 || name.length < 16);
let [right, refused] = [0, 0];
const wrong: string[] = [];
for (const [what, field] of [...NAME_FIELDS, ...Object.entries(DEFINING)]) {
  const verdict = tryNames(field, 'generate', names);
  right += verdict.right;
  refused += verdict.refused;
  wrong.push(...verdict.wrong.slice(0, 3).map((text) => `${what}: ${text}`));
}

const total = graph({ x: input(['n']) }, ({ x }) => ({ y: sum(mul(x, 2)) }));
const sums = await lastValueFrom(
  from([[1, 2], [3]]).pipe(
    map((x) => ({ x })),
    run(total),
    map(({ y }) => y.toArray()),
    toArray(),
  ),
);
console.log(JSON.stringify({ names: names.length, right, refused, wrong, sums }));
