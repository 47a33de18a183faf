export { ERROR_CODES, printedCode, type ErrorCode } from './codes.js';
export type { Caret, Diagnostic, Severity, SourceLocation } from './diagnostic.js';
export { EinstreamError, diagnose, fault, type Fault } from './error.js';
export { excerpt, singleLine } from './escape.js';
