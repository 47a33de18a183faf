/**
 * @file The one file that turns text into a function, and the question whether that is allowed here.
 */
/* eslint-disable @typescript-eslint/no-implied-eval -- this is the file where source becomes a function */
import { emitted, type Emitted } from './emitted.js';

/**
 * The function that the source defines: `source` is a function body that returns it and sees `scope` as `F`.
 */
export const generate = (source: Emitted, scope: unknown): unknown => new Function('F', source)(scope) as unknown;

let allowed: boolean | undefined;

/** False under a Content-Security-Policy without `unsafe-eval`, or with code generation switched off. */
export function canGenerate(): boolean {
  if (allowed === undefined) {
    try {
      generate(emitted('return 1'), undefined);
      allowed = true;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}
