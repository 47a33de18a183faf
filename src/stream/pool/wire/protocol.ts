/**
 * @file What a pool and its workers say to each other: flat records, elements in typed arrays.
 */
import type { Diagnostic, ErrorCode } from '../../../errors/index.js';
import type { DType, TypedArray } from '../../../tensor/dtype.js';
import type { Shape } from '../../../tensor/shape.js';

/** Tensors by column: what one thread can hand to another without a copy are the buffers of the arrays. */
export interface Packed {
  readonly names: readonly string[];
  readonly dtypes: readonly DType[];
  readonly shapes: readonly Shape[];
  /** Row-major, each over a buffer of its own. */
  readonly arrays: readonly TypedArray[];
}

/** An error without what cannot travel. */
export interface FlatError {
  readonly code: ErrorCode;
  readonly diagnostic: Diagnostic;
  readonly nodeId: number | undefined;
}

/** Said once, first. */
export interface StartOrder {
  readonly kind: 'start';
  readonly backend: 'js' | 'wasm' | undefined;
  /** One int64: the run that is not wanted any more, 0 before there is one. Undefined where threads share no memory. */
  readonly flag: SharedArrayBuffer | undefined;
  /** Most bytes that the tensors of one run may take; 0 is any number. */
  readonly tensorBytes: number;
}

/** Said once of each graph, before its first run. */
export interface GraphOrder {
  readonly kind: 'graph';
  readonly graph: number;
  readonly text: string;
  /** Nodes whose values are too large for the text, and these values. */
  readonly ids: readonly number[];
  readonly values: Packed;
}

export interface RunOrder {
  readonly kind: 'run';
  readonly run: number;
  readonly graph: number;
  readonly feeds: Packed;
}

export type Order = StartOrder | GraphOrder | RunOrder | { readonly kind: 'forget'; readonly graph: number };

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly run: number; readonly outputs: Packed }
  | { readonly kind: 'failed'; readonly run: number; readonly error: FlatError }
  /** Stopped before its end, as was asked. */
  | { readonly kind: 'dropped'; readonly run: number };

const KINDS: readonly unknown[] = ['ready', 'done', 'failed', 'dropped'];

/** A message as a reply, if it is one as far as can be seen from outside. */
export function readReply(message: unknown): Reply | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, run } = message as { readonly kind?: unknown; readonly run?: unknown };
  return KINDS.includes(kind) && (kind === 'ready' || Number.isSafeInteger(run)) ? (message as Reply) : undefined;
}
