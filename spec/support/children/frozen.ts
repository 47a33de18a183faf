/**
 * @file Malicious names in every field, and a stream, after the shared prototypes were frozen; told as JSON.
 */
import './freeze.js';
import { from, lastValueFrom, map, toArray } from 'rxjs';
import { graph, input, js, mul, run, sum, wasm, type Backend } from '../../../src/index.js';
import { MALICIOUS_NAMES } from '../maliciousNames.js';
import { DEFINING, NAME_FIELDS, type Field } from '../nameFields.js';
import { tryNames } from '../tryNames.js';

const names = MALICIOUS_NAMES.filter((name, k) => k % 8 === 0 || name.length < 16);
let [right, refused] = [0, 0];
const wrong: string[] = [];
const [scripts, modules]: readonly Backend[] = [js({ kernels: 'generate' }), await wasm()];
const by = (backend: Backend, fields: Iterable<readonly [string, Field]>) =>
  [...fields].map(([what, field]) => [what, field, backend] as const);
// An op is defined once in a process, so those fields meet one backend.
const all = [...by(scripts, NAME_FIELDS), ...by(scripts, Object.entries(DEFINING)), ...by(modules, NAME_FIELDS)];
for (const [what, field, inner] of all) {
  const verdict = tryNames(field, inner, inner === scripts ? names : names.filter((_, k) => k % 4 === 0));
  right += verdict.right;
  refused += verdict.refused;
  wrong.push(...verdict.wrong.slice(0, 3).map((text) => `${what}, ${inner.name}: ${text}`));
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
