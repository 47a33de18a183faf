/**
 * @file `npm run bench -- --peers`: the whole engine beside other engines, in one run, repetition by repetition.
 *
 * Options: `--only mm256,attn`; `--reps N` (9); `--slot MS` of processor time for each (40); `--cap MS` a workload lasts at most, but
 * for three repetitions (25000); `--json FILE`; `--node 24` or a path, the Node that runs all of them (default: this one);
 * `--threads 2` measures the engine on two threads beside one; `--without numpy,jax-js` leaves some out; `--engine DIR` a built
 * folder of the engine (default: this one, built anew); `--profile DIR` writes a CPU profile of the engine.
 *
 * Ends well whatever the ratios are.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { child, type Child } from './child.js';
import { contenders } from './contenders.js';
import { hostProgram } from './host-program.js';
import { install, nodeAt } from './install.js';
import { measure, type Row } from './measure.js';
import { expectedFile, inputFile } from './protocol.js';
import { reported, summary, type Report } from './report.js';
import { verdicts } from './verdicts.js';
import { workloads, type Workload } from './workloads.js';

const { values } = parseArgs({
  options: {
    peers: { type: 'boolean' },
    only: { type: 'string' },
    reps: { type: 'string', default: '9' },
    slot: { type: 'string', default: '40' },
    cap: { type: 'string', default: '25000' },
    json: { type: 'string' },
    node: { type: 'string' },
    threads: { type: 'string', default: '1' },
    without: { type: 'string', default: '' },
    engine: { type: 'string' },
    profile: { type: 'string' },
  },
});

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../../..');
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

function chosen(): readonly Workload[] {
  if (values.only === undefined) return workloads;
  return values.only.split(',').map((id) => {
    const found = workloads.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no workload "${id}": ${workloads.map((each) => each.id).join(', ')}`);
    return found;
  });
}

/** Inputs and the right result, where the processes read them. */
function write({ id, inputs, expected }: Workload, folder: string): void {
  const made = inputs();
  for (const [name, numbers] of Object.entries(made)) writeFileSync(inputFile(folder, id, name), numbers);
  writeFileSync(expectedFile(folder, id), Float32Array.from(expected(made)));
}

async function bench(children: readonly Child[], folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const pace = { repetitions: Number(values.reps), slot: Number(values.slot), cap: Number(values.cap) };
  for (const workload of chosen()) {
    write(workload, folder);
    const row = await measure(workload, folder, children, pace);
    rows.push(row);
    const isRelaxed = children[0].ready.relaxed === true;
    tell(`${row.id.padEnd(8)} ${summary({ verdicts: verdicts([row], isRelaxed) })}`);
    for (const name of Object.keys(workload.shapes)) rmSync(inputFile(folder, row.id, name));
    rmSync(expectedFile(folder, row.id));
  }
  return rows;
}

install(here, tell);
if (values.engine === undefined) execFileSync(process.execPath, ['build.config.js'], { cwd: root, stdio: 'inherit' });
const node = nodeAt(here, values.node);
const left = values.without.split(',');
const candidates = contenders({
  node,
  host: await hostProgram(here),
  engine: values.engine === undefined ? root : resolve(values.engine),
  threads: values.threads === '2' ? 2 : 1,
  profile: values.profile === undefined ? undefined : resolve(values.profile),
}).filter(({ name }) => !left.includes(name));

const folder = mkdtempSync(join(tmpdir(), 'einstream-peers-'));
const children: Child[] = [];
const missing: Record<string, string> = {};
const clear = (): void => {
  for (const { close } of children) close();
  rmSync(folder, { recursive: true, force: true });
};
process.once('SIGINT', () => {
  clear();
  process.exit(130);
});
try {
  for (const candidate of candidates) {
    const started = await child(candidate);
    if ('failed' in started) missing[candidate.name] = started.failed;
    else children.push(started);
  }
  if (children[0]?.name !== 'einstream') throw new Error(`the engine did not start: ${missing['einstream']}`);
  const rows = await bench(children, folder);
  const versions = JSON.parse(
    execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }),
  ) as NodeJS.ProcessVersions;
  const relaxed = children[0].ready.relaxed === true;
  const report: Report = {
    node: versions.node,
    v8: versions.v8,
    relaxed,
    machine: `${cpus().length} × ${cpus()[0].model}`,
    about: Object.fromEntries(children.map(({ name, ready }) => [name, ready.about])),
    missing,
    rows,
    verdicts: verdicts(rows, relaxed),
  };
  console.log(reported(report));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  clear();
}
