/**
 * @file A compilation as text for people: what each pass changed, as a table, and what it rewrote, rule by rule.
 *
 * Length is bounded: of a rule, so many rewrites are shown, and of a rewrite so many names.
 */
import { excerpt, humanBytes, humanMs } from '../errors/index.js';
import type { Rewrite } from '../passes/index.js';
import { printPath } from '../plan/path/index.js';
import type { CompiledGraph } from '../run/compiled.js';
import { humanCount } from './human-count.js';
import { table } from './table.js';
import type { TrailStep, Waypoint } from './trail.js';

/** Longest name, in UTF-16 units, most names of a rewrite, and most lines of the order of a contraction. */
const [NAME, NAMES, PATH] = [24, 4, 12];
/** Of a rule; with those of a rewrite they fit a terminal. */
const RULE = 80;

/** @param most rewrites of a rule that are shown */
export function describePasses(compiled: CompiledGraph, trail: readonly TrailStep[], most: number): string {
  const found = trail.filter(({ report }) => report.rewrites.length > 0);
  const lines = [
    ...headlines(compiled, trail),
    '',
    ...(trail.length === 0 ? ['no pass runs at this level'] : table([HEAD, ...rowsOf(trail)], HEAD.slice(1))).map(
      (line) => `  ${line}`,
    ),
    ...found.flatMap((step) => ['', step.report.pass, ...rulesOf(step, most)]),
  ];
  return `${lines.join('\n')}\n`;
}

const HEAD = ['pass', 'finds', 'nodes', 'operations', 'bytes moved', 'kernels'];

function headlines({ level, statistics }: CompiledGraph, trail: readonly TrailStep[]): readonly string[] {
  const { nodesBefore, nodesAfter, timeMs, memoryBytes, estimatedSpeedup } = statistics;
  const isUnknown = trail.length > 0 && trail[0].before.cost === undefined;
  const notes = [
    ...(estimatedSpeedup === undefined ? [] : [`${estimatedSpeedup.toFixed(2)} times as fast, by an estimate`]),
    ...(memoryBytes === undefined ? [] : [`a frame holds ${humanBytes(memoryBytes)}`]),
    ...(isUnknown ? ['operations and bytes are known with all sizes: --shapes NAME=SIZES'] : []),
  ];
  const made = `level ${level}: ${nodesBefore === nodesAfter ? '' : `${nodesBefore} → `}${nodesAfter} nodes in ${humanMs(timeMs)}`;
  return notes.length === 0 ? [made] : [made, notes.join('; ')];
}

/** As given, then what each pass changed, then as it runs. */
function rowsOf(trail: readonly TrailStep[]): readonly (readonly string[])[] {
  const passes = trail.map(({ report, before, after }) => {
    const was = cells(before);
    const changed = cells(after).map((cell, column) => (cell === was[column] ? '' : cell));
    return [excerpt(report.pass, 2 * NAME), report.rewrites.length === 0 ? '' : String(report.rewrites.length), ...changed];
  });
  return [['as given', '', ...cells(trail[0].before)], ...passes, ['as it runs', '', ...cells(trail.at(-1)!.after)]];
}

const cells = ({ nodes, cost }: Waypoint): readonly string[] => [
  String(nodes),
  ...(cost === undefined ? ['?', '?', '?'] : [humanCount(cost.flops), humanBytes(cost.bytes), String(cost.kernels)]),
];

/** The rewrites of a pass under their rules. */
function rulesOf({ report, nameOf }: TrailStep, most: number): readonly string[] {
  const byRule = new Map<string, Rewrite[]>();
  for (const rewrite of report.rewrites) {
    const same = byRule.get(rewrite.rule);
    if (same === undefined) byRule.set(rewrite.rule, [rewrite]);
    else same.push(rewrite);
  }
  const name = (id: number): string => excerpt(nameOf(id) ?? `#${id}`, NAME);
  return [...byRule].flatMap(([rule, rewrites]) => [
    `  ${excerpt(rule, RULE)}${rewrites.length > 1 ? `, ${rewrites.length} times` : ''}`,
    ...rewrites.slice(0, most).flatMap((rewrite) => rewriteLines(rewrite, name)),
    ...(rewrites.length > most ? [`    … and ${rewrites.length - most} more`] : []),
  ]);
}

function rewriteLines({ from, into, path }: Rewrite, name: (id: number) => string): readonly string[] {
  const others = from.filter((id) => id !== into);
  const left = others.length === 0 ? from : others;
  const names = left.slice(0, NAMES).map(name);
  const more = left.length > NAMES ? ` and ${left.length - NAMES} more` : '';
  const target = into === undefined ? '' : others.length === 0 ? ' (in its place)' : ` → ${name(into)}`;
  return [`    ${names.join(', ')}${more}${target}`, ...(path === undefined ? [] : pathLines(printPath(path)))];
}

/** A line of a table that is wider than a terminal tells little behind its edge. */
function pathLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => `      ${line.length > 92 ? `${line.slice(0, 91)}…` : line}`);
  return lines.length <= PATH + 6 ? lines : [...lines.slice(0, PATH), `        … and ${lines.length - PATH} more steps`];
}
