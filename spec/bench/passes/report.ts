/**
 * @file Everything that is promised of compilation on named graphs, measured in one go, with what it must reach.
 */
import { compile, nodeCount } from '../../../src/index.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import { contractionOf } from '../../support/contractions.js';
import { PUBLISHED } from '../../support/published-paths.js';
import { ruleBase } from '../../support/ruleBase.js';
import { compileTime } from './compile-times.js';
import { fusions, printFusions } from './fusion.js';
import { benchJit } from './jit.js';
import { joinLine, joinTimes } from './join.js';
import { COMPARED, levelTimes } from './level-times.js';
import { speedups } from './speedups.js';

export interface Bar {
  readonly bar: string;
  readonly value: number;
  readonly passes: boolean;
}

const atLeast = (bar: string, value: number, goal: number): Bar => ({ bar, value, passes: value >= goal });
const atMost = (bar: string, value: number, goal: number): Bar => ({ bar, value, passes: value <= goal });

/** Ten times the nodes may take this many times as long: sorted maps and the collector are not quite linear. */
const LINEAR = 14;

export async function passesReport(turns: number, print: (line: string) => void) {
  const bars: Bar[] = [];
  print('\nfused kernels, on wasm');
  const fused = [...(await fusions(turns, 'standard')), ...(await fusions(turns, 'aggressive'))];
  printFusions(fused).forEach(print);
  for (const { name, level, kernels, ratio } of fused) {
    if (name === 'chain of 8, 1M') bars.push(atMost(`${name} at ${level} is one kernel`, kernels.fused, 1));
    if (/norm|softmax/.test(name)) bars.push(atMost(`${name} at ${level} is at most 2 kernels`, kernels.fused, 2));
    if (level !== 'aggressive') continue;
    if (name === 'chain of 8, 1M') bars.push(atLeast(`${name} at aggressive ≥ 3 times as fast as at none`, ratio, 3));
    if (name.includes('transpose')) bars.push(atLeast(`${name} at aggressive ≥ 1.5 times as fast as at none`, ratio, 1.5));
    if (name.startsWith('layer norm')) bars.push(atLeast(`${name} at aggressive ≥ 1.5 times as fast as at none`, ratio, 1.5));
  }

  const rules = COMPARED.map((level) => nodeCount(compile(ruleBase(), { level })));
  print(`\nrule base of 50 rules: ${rules.join(' → ')} nodes at ${COMPARED.join(', ')}`);
  bars.push(atMost('the rule base of 50 rules keeps at most half of its nodes at standard', rules[1] / rules[0], 0.5));

  const join = joinTimes(256, turns);
  print(joinLine(join));
  bars.push(atLeast('the join in two steps, n = 256, ≥ 20 times as fast at aggressive as at none', join.ratio, 20));

  print(`\nmilliseconds of a frame, and kernels, at ${COMPARED.join(', ')}`);
  const levels = await levelTimes(3 * turns, ['js', 'wasm']);
  for (const { subject, backend, ms, kernels } of levels) {
    const [standard, aggressive] = [ms[1] / ms[0], ms[2] / ms[0]];
    print(
      `${subject.padEnd(26)} ${backend.padEnd(5)} ${ms.map((each) => each.toPrecision(3).padStart(8)).join(' ')}   ${kernels.map((each) => String(each).padStart(5)).join(' ')}   ${standard.toFixed(2)} ${aggressive.toFixed(2)} of none`,
    );
    bars.push(atMost(`${subject} on ${backend}: standard never slower than none (≤ 1.05)`, standard, 1.05));
    if (subject.startsWith('MLP'))
      bars.push(atMost(`${subject} on ${backend}: aggressive never slower than none (≤ 1.05)`, aggressive, 1.05));
    if (subject.startsWith('attention')) bars.push(atMost(`attention on ${backend} is three kernels`, kernels[2], 3));
  }

  print('\npublished contractions: operations of ours, and as published');
  for (const { spec, sizes, flops, source } of PUBLISHED) {
    const ours = contractionPath(contractionOf(spec, sizes)).flops;
    print(`${spec.padEnd(28)} ${ours.toExponential(3)}  ${flops.toExponential(3)}  ${source}`);
    bars.push(atMost(`${spec}: operations as published (${source})`, Number(ours.toPrecision(4)) / flops, 1));
  }

  print('\nmilliseconds of compile: in a new process, and again');
  const compiled = [
    compileTime('rules', 1000, 'standard', 12),
    compileTime('rules', 1000, 'aggressive', 12),
    compileTime('rules', 1e5, 'standard', 1),
    compileTime('rules', 1e5, 'aggressive', 1),
    compileTime('chain', 1e5, 'standard', 1),
    compileTime('chain', 1e6, 'standard', 1),
  ];
  for (const { form, level, nodes, first, again } of compiled) {
    print(
      `${form.padEnd(6)} ${level.padEnd(11)} ${nodes.join(' → ').padEnd(19)} ${first.toFixed(1).padStart(9)} ${again.toFixed(1).padStart(9)}`,
    );
    const [goal, size] = nodes[0] < 5000 ? [100, '1,000'] : nodes[0] < 500_000 ? [5000, '1e5'] : [15_000, '1e6'];
    bars.push(atMost(`${form} of ${size} nodes compile at ${level} in ≤ ${goal} ms (G6)`, first, goal));
  }
  const linear = compiled[5].first / compiled[4].first / (compiled[5].nodes[0] / compiled[4].nodes[0] / 10);
  bars.push(atMost(`a chain of 1e6 takes ≤ ${LINEAR} times as long to compile as one of 1e5 (G6)`, linear, LINEAR));

  print('\ntimes as fast at aggressive as at none, on wasm: estimated, and measured');
  const gains = await speedups(turns);
  for (const { subject, estimated, measured } of gains)
    print(`${subject.padEnd(28)} ${estimated.toFixed(2).padStart(7)} ${measured.toFixed(2).padStart(7)}`);

  print('\nmilliseconds with jit, and with the backend inside at aggressive');
  const jitted = await benchJit(turns);
  for (const { subject, inner, what, jitMs, innerMs } of jitted) {
    const [ratio, title] = [jitMs / innerMs, `${subject} on ${inner}`];
    print(`${subject.padEnd(20)} ${inner.padEnd(5)} ${what.padEnd(13)} ${jitMs.toPrecision(3).padStart(9)} ${innerMs.toPrecision(3).padStart(9)} ${ratio.toFixed(2).padStart(6)}`); // prettier-ignore
    if (what === 'hot frame') bars.push(atMost(`${title}: a hot frame takes what the backend inside takes (≤ 1.1)`, ratio, 1.1));
    else if (subject === 'tiny' || subject === 'rules')
      bars.push(atMost(`${title}: the first result comes sooner than by compiling`, ratio, 1));
  }
  return { fused, rules, join, levels, compiled, gains, jitted, bars };
}
