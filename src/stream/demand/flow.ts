/**
 * @file The protocol of streams that hold: an item moves only against credit.
 *
 * It is Reactive Streams 1.0.4 in one thread: rules against concurrency are rules against re-entrance here. `outlet` and
 * `inlet` are its two halves; everything else in this folder is built of them.
 */

/**
 * A stream that moves on demand. Cold: each opening is a run of its own.
 *
 * What is in flight, from a source to the consumers that have released what they got, is bounded by arithmetic:
 *
 *     bytes ≤ Σ over edges of credits × size of the largest item
 *
 * Edges are those of `through` and `join` (their `credits` for each input) and of the consumers (1, or the `credits` of `acknowledged`);
 * the buffer of `fromObservable` counts with its `size`. An edge with a bound in bytes counts with `bytes` and one item, where that is less.
 *
 * A flow that others wrote is an object with `open`. It calls `open` of the sink first, then at most as many `next` as were granted, never
 * one inside another, and at most one of `error` and `complete`.
 */
export interface Flow<T> {
  /** @throws EinstreamError E_ARGUMENT for what is no sink; everything else is told to the sink */
  open(sink: Sink<T>): void;
}

/** What a flow is opened into. None of its functions may throw: what `next` throws ends the edge with E_CONSUMER. */
export interface Sink<T> {
  /** Comes first, once; a second edge is to be cancelled. No item comes before it has returned. */
  open(edge: Edge): void;
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
  /**
   * A barrier passes: what it stands for is everything told before it. It needs no credit, and overtakes what waits for some. A sink
   * without it ends the way of barriers.
   */
  barrier?(barrier: Barrier): void;
}

/** A control signal on its way from a source to the end of a flow; what is noted on it is one state of the whole. */
export interface Barrier {
  /** The part of one stage: a plain value that may hold tensors. */
  readonly note: (name: string, part: unknown) => void;
  /** It will not arrive, as something on its way knows no barriers. */
  readonly lose: () => void;
}

/** The way back: demand and its end. Neither throws, and neither calls the sink from inside a call of the sink. */
export interface Edge {
  /**
   * So many items more. Grants add up, to at most 2⁵³ − 1; Infinity is everything. After the end it does nothing.
   * What is no integer ≥ 1 ends the edge with E_DEMAND.
   */
  grant(credits: number): void;
  /** No item follows. Again, and after the end, it does nothing. */
  cancel(): void;
}
