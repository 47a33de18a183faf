/**
 * @file What a saved compilation says beside its graphs, read and checked.
 */
import { decodePlain } from '../../graph/formats/own/plain.js';
import type { JsonReader } from '../../graph/json/index.js';
import { LEVELS, type Level, type PassReport, type Rewrite } from '../../passes/index.js';
import type { CompileStatistics } from '../compiled.js';
import { reductionOf } from './statistics.js';

export interface Head {
  readonly level: Level;
  readonly fastMath: boolean;
  readonly memoryBudget: number | undefined;
  readonly shapes: boolean;
  readonly parallelism: boolean;
  readonly frugal: boolean;
  readonly statistics: CompileStatistics;
  readonly reports: readonly PassReport[];
}

/** In the order in which a compilation tells them. */
const FIGURES = [
  ...['nodesBefore', 'nodesAfter', 'reductionPercentage', 'fusionsApplied', 'deadNodesEliminated'],
  ...['flopsBefore', 'flopsAfter', 'bytesBefore', 'bytesAfter', 'estimatedSpeedup', 'timeMs', 'memoryBytes'],
] as readonly (keyof CompileStatistics)[];
const WHERE_KNOWN: ReadonlySet<keyof CompileStatistics> = new Set([
  ...(['flopsBefore', 'flopsAfter', 'bytesBefore', 'bytesAfter', 'estimatedSpeedup', 'memoryBytes'] as const),
]);

/** Members in any order; `result` refuses what is missing. */
export function readHead(reader: JsonReader): { isFirst(): boolean; member(key: string): void; result(): Head } {
  const flags = new Map<string, boolean>();
  let [level, memoryBudget, statistics, reports]: [Level?, number?, CompileStatistics?, (readonly PassReport[])?] = [];
  let isFirst = true;
  return {
    isFirst() {
      const was = isFirst;
      isFirst = false;
      return was;
    },
    member(key) {
      const at = reader.offset();
      if (key === 'level') level = levelOf(reader);
      else if (key === 'memoryBudget') memoryBudget = numberOf(reader, decodePlain(reader.value()), key, at);
      else if (key === 'statistics') statistics = statisticsOf(reader, decodePlain(reader.value()), at);
      else if (key === 'reports') reports = reportsOf(reader, decodePlain(reader.value()), at);
      else if (key === 'fastMath' || key === 'shapes' || key === 'parallelism' || key === 'frugal')
        flags.set(key, reader.boolean());
    },
    result() {
      if (level === undefined || statistics === undefined || reports === undefined)
        throw reader.fault('E_PARSE', { rule: 'a compiled graph has "level", "statistics" and "reports"' }, 0);
      const flag = (name: string, otherwise: boolean): boolean => flags.get(name) ?? otherwise;
      return {
        ...{ level, memoryBudget, statistics, reports },
        ...{ fastMath: flag('fastMath', false), shapes: flag('shapes', true), parallelism: flag('parallelism', true) },
        frugal: flag('frugal', false),
      };
    },
  };
}

function levelOf(reader: JsonReader): Level {
  const at = reader.offset();
  const level = reader.string();
  if (Object.hasOwn(LEVELS, level)) return level as Level;
  throw reader.fault('E_PARSE', { rule: `"level" is one of ${Object.keys(LEVELS).join(', ')}`, actual: level.slice(0, 40) }, at);
}

function numberOf(reader: JsonReader, value: unknown, name: string, at: number): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw reader.fault('E_PARSE', { rule: `"${name}" is a number ≥ 0` }, at);
}

function statisticsOf(reader: JsonReader, tree: unknown, at: number): CompileStatistics {
  const record = (typeof tree === 'object' && tree !== null ? tree : {}) as Readonly<Record<string, unknown>>;
  const figures = FIGURES.map((name): readonly [string, number | undefined] => {
    if (name === 'reductionPercentage') return [name, 0];
    return [name, record[name] === undefined && WHERE_KNOWN.has(name) ? undefined : numberOf(reader, record[name], name, at)];
  });
  const known = Object.fromEntries(figures) as unknown as CompileStatistics;
  return Object.freeze({ ...known, reductionPercentage: reductionOf(known) });
}

function reportsOf(reader: JsonReader, tree: unknown, at: number): readonly PassReport[] {
  const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
  const isRewrite = (value: unknown): value is Rewrite => {
    const { rule, from, into } = (value ?? {}) as { readonly [K in keyof Rewrite]?: unknown };
    return typeof rule === 'string' && Array.isArray(from) && from.every(isId) && (into === undefined || isId(into));
  };
  const isReport = (value: unknown): value is Pick<PassReport, 'pass' | 'rewrites'> => {
    const { pass, rewrites } = (value ?? {}) as { readonly pass?: unknown; readonly rewrites?: unknown };
    return typeof pass === 'string' && Array.isArray(rewrites) && rewrites.every(isRewrite);
  };
  if (!Array.isArray(tree) || !tree.every(isReport))
    throw reader.fault('E_PARSE', { rule: '"reports" is a list of passes with their rewrites' }, at);
  const reports = tree.map(({ pass, rewrites }) =>
    Object.freeze({
      pass,
      rewrites: Object.freeze(rewrites.map((each) => Object.freeze({ ...each }))),
      patches: [],
      inverse: [],
    }),
  );
  return Object.freeze(reports);
}
