/**
 * @file The limits of `runStreamAsync`, read once.
 */
import { asyncScheduler } from 'rxjs';
import { describeValue, fault, type EinstreamError } from '../../errors/index.js';
import type { RunOptions } from '../../run/options.js';
import { checkKnown, readDuration } from '../options.js';
import type { Limits } from './attempts.js';
import { readCount } from './bounds.js';
import type { AsyncConfig } from './run-stream-async.js';

const PLACE = 'runStreamAsync';
const KNOWN = [
  'maxConcurrent',
  'backpressureThreshold',
  'timeoutMs',
  'retry',
  'maxRetries',
  'backoffMs',
  'policy',
  'onDrop',
  'scheduler',
  'stats',
  'run',
] as const satisfies readonly (keyof AsyncConfig)[];

export interface AsyncSettings {
  readonly maxConcurrent: number;
  readonly threshold: number;
  readonly limits: Limits;
  readonly run: RunOptions;
}

/** @throws EinstreamError E_ARGUMENT naming the limit that limits nothing */
export function readAsyncConfig(config: AsyncConfig): AsyncSettings {
  checkKnown(PLACE, config, KNOWN);
  const { retry = false, timeoutMs, backoffMs = 100, scheduler = asyncScheduler, run = {} } = config;
  const maxRetries = readCount(PLACE, 'maxRetries', config.maxRetries ?? 3, 0);
  if (typeof retry !== 'boolean') throw wrong('retry is true or false', undefined, retry);
  if (timeoutMs !== undefined) readDuration(PLACE, 'timeoutMs', timeoutMs, 'positive');
  readDuration(PLACE, 'backoffMs', backoffMs);
  if (run.outputs === 'borrow')
    throw wrong('results that wait for those before them cannot be lent', "outputs: 'copy'", run.outputs);
  return {
    maxConcurrent: readCount(PLACE, 'maxConcurrent', config.maxConcurrent ?? 4),
    threshold: readCount(PLACE, 'backpressureThreshold', config.backpressureThreshold ?? 100, 0),
    limits: { timeoutMs, retries: retry ? maxRetries : 0, backoffMs, scheduler },
    run,
  };
}

const wrong = (rule: string, expected?: string, actual?: unknown): EinstreamError =>
  fault('E_ARGUMENT', { place: PLACE, rule, expected, actual: actual === undefined ? undefined : describeValue(actual) });
