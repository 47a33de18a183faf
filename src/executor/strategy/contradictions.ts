/**
 * @file Fields of a strategy that do not go together, as a table with the reason.
 */
import { fault } from '../../errors/index.js';
import type { ExecutionStrategy } from './strategy.js';

type Field = keyof ExecutionStrategy;

/** One word for each value: of a gradient with a number, what it does. */
export const kindOf = (strategy: ExecutionStrategy, field: Field): string => {
  const value = strategy[field];
  return typeof value === 'string' ? value : Object.keys(value)[0];
};

type Rule = readonly [one: Field, value: string, other: Field, values: readonly string[], why: string];

const RULES: readonly Rule[] = [
  ['parallelism', 'auto', 'mode', ['eager', 'lazy'], 'parts of a graph are planned before it runs'],
  ['parallelism', 'auto', 'memory', ['cached'], 'who computes elsewhere sees no cache of this thread'],
  ['parallelism', 'auto', 'memory', ['minimalPeak'], 'parts at the same time are held at the same time'],
  ['parallelism', 'auto', 'gradient', ['eager'], 'a run on other threads is not recorded'],
  ['parallelism', 'auto', 'gradient', ['checkpointed'], 'what parts give is held to the end'],
  ['mode', 'lazy', 'memory', ['minimalPeak'], 'what other outputs will need is held until they are read'],
  ['mode', 'lazy', 'memory', ['pooled'], 'outputs in a pool are all computed'],
  ['mode', 'lazy', 'gradient', ['eager'], 'what was not computed was not recorded'],
  ['gradient', 'eager', 'memory', ['minimalPeak'], 'the record holds every value'],
  ['gradient', 'eager', 'memory', ['pooled'], 'the record belongs to outputs as the run gave them'],
  ['gradient', 'accumulated', 'memory', ['pooled'], 'who adds gradients up gives none of them back'],
  ['gradient', 'checkpointed', 'memory', ['cached'], 'a cache keeps what is to be computed again'],
];

/** @throws EinstreamError E_ARGUMENT naming both fields */
export function requireAgreement(strategy: ExecutionStrategy): void {
  for (const [one, value, other, values, why] of RULES)
    if (kindOf(strategy, one) === value && values.includes(kindOf(strategy, other)))
      throw fault('E_ARGUMENT', {
        place: `${one}, ${other}`,
        rule: `${one} '${value}' does not go with ${other} '${kindOf(strategy, other)}': ${why}`,
        actual: `${one} '${value}' and ${other} '${kindOf(strategy, other)}'`,
        hint: `choose another ${one}, or another ${other}`,
      });
}
