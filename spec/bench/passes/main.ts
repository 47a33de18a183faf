/**
 * @file `npm run bench -- --passes`: what compilation gives on named graphs, without the rest of the bench.
 *
 * Options: `--turns N` (default 9), `--json FILE`.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { passesReport } from './report.js';

const { values } = parseArgs({
  options: { passes: { type: 'boolean' }, turns: { type: 'string', default: '9' }, json: { type: 'string' } },
});
const print = (line: string): void => void process.stderr.write(`${line}\n`);
const report = await passesReport(Number(values.turns), print);
print('');
for (const { bar, value, passes } of report.bars) print(`${passes ? 'holds' : 'FAILS'}  ${bar}: ${value.toPrecision(4)}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ node: process.version, ...report }, null, 2)}\n`);
if (report.bars.some(({ passes }) => !passes)) process.exitCode = 1;
