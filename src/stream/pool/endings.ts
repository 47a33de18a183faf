/**
 * @file The errors with which a pool ends requests.
 */
import { EinstreamError, fault } from '../../errors/index.js';
import type { Request } from './request.js';

/** The error of an attempt, with its number. */
export const numbered = (error: EinstreamError, attempt: number): EinstreamError =>
  new EinstreamError(error.code, error.diagnostic, { nodeId: error.nodeId, attempt, cause: error.cause });

/** A request that has no answer yet: `attempt` is there while it runs. */
export const late = (option: string, ms: number, { attempts, attempt }: Request): EinstreamError =>
  fault('E_TIMEOUT', {
    place: option,
    rule: 'an answer must come in time',
    expected: `within ${ms} ms`,
    actual: attempt === undefined ? `${attempts} attempts, and it waits for a worker` : `attempt ${attempts} still runs`,
    hint: attempt === undefined ? 'allow more time, or give the pool more workers' : 'allow more time, or give it less to do',
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
