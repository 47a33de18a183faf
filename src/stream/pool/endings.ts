/**
 * @file The errors with which a pool ends requests.
 */
import { EinstreamError, fault } from '../../errors/index.js';

/** The error of an attempt, with its number. */
export const numbered = (error: EinstreamError, attempt: number): EinstreamError =>
  new EinstreamError(error.code, error.diagnostic, { nodeId: error.nodeId, attempt, cause: error.cause });

export const late = (option: string, ms: number, attempts: number, state: 'waiting' | 'running'): EinstreamError =>
  fault('E_TIMEOUT', {
    place: option,
    rule: 'an answer must come in time',
    expected: `within ${ms} ms`,
    actual: state === 'running' ? `attempt ${attempts} still runs` : `${attempts} attempts, and it waits for a worker`,
    hint: state === 'running' ? 'allow more time, or give it less to do' : 'allow more time, or give the pool more workers',
  });

/** Why a worker was replaced: nobody hears of it but the diagnostics. */
export const tooLong = (graceMs: number): EinstreamError =>
  fault('E_WORKER_LOST', {
    place: 'graceMs',
    rule: 'a run that nobody waits for must end soon, or its worker is replaced',
    expected: `within ${graceMs} ms`,
    actual: 'it still ran',
  });

export const aborted = (why: 'closed' | 'abort'): EinstreamError =>
  fault('E_ABORT', {
    place: 'pool',
    rule: why === 'closed' ? 'a pool that is closed takes no requests' : 'the pool was closed before the answer',
    hint: why === 'closed' ? 'make a new one' : "close({ mode: 'drain' }) waits for answers",
  });
