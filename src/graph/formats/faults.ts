/**
 * @file The structural faults of a text, kept for `validate`: a bounded list.
 */
import { diagnose, EinstreamError, type Diagnostic, type ErrorCode, type Fault } from '../../errors/index.js';

/** Most faults that a graph keeps of its text. */
const MAX_KEPT = 1000;

export interface FaultList {
  add(code: ErrorCode, details: Fault): void;
  addThrown(thrown: unknown): void;
  readonly list: Diagnostic[];
}

export function faultList(): FaultList {
  const list: Diagnostic[] = [];
  const keep = (diagnostic: Diagnostic): void => {
    if (list.length < MAX_KEPT) list.push(diagnostic);
  };
  return {
    list,
    add: (code, details) => keep(diagnose(code, details)),
    addThrown(thrown) {
      if (!(thrown instanceof EinstreamError)) throw thrown;
      keep(thrown.diagnostic);
    },
  };
}
