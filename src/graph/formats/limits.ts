/**
 * @file What a graph's text may ask of us, at most, and what the reader is told beyond the text.
 */
import { describeValue, fault } from '../../errors/index.js';
import type { ComputedDType } from '../../tensor/dtype.js';
import { JSON_LIMITS, type JsonLimits } from '../json/index.js';

/** Every limit is inclusive: the limit passes, one more is E_LIMIT. */
export interface GraphLimits extends JsonLimits {
  /** Entries of the list of nodes. */
  readonly nodes: number;
  /** Values: entries of the list of tensors, or ids. */
  readonly tensors: number;
  /** Bytes of all tensors that the text carries. */
  readonly tensorBytes: number;
}

/**
 * 256 MiB of text, 2,000,000 nodes, 4,000,000 values, depth 64, 256 MiB of tensors.
 *
 * ```ts
 * GRAPH_LIMITS.nodes // => 2000000
 * ```
 */
export const GRAPH_LIMITS: GraphLimits = Object.freeze({
  ...JSON_LIMITS,
  nodes: 2_000_000,
  tensors: 4_000_000,
  tensorBytes: 256 * 2 ** 20,
});

/** Limits of `parseGraph`, and what it is told beyond the text. */
export interface ParseOptions extends Partial<GraphLimits> {
  /** Where the text comes from, for errors: a file's name. */
  readonly place?: string;
  /** Interchange format: sizes of einsum letters that occur only in an output, for the whole graph. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Interchange format: the dtype that inputs must have, and that constants have. Without it any feed fits, and constants are float32. */
  readonly dtype?: ComputedDType;
}

/**
 * The limits with their defaults.
 *
 * @throws EinstreamError E_ARGUMENT for a limit that is neither an integer ≥ 0 nor Infinity
 */
export function graphLimits(options: ParseOptions): Pick<GraphLimits, 'nodes' | 'tensors' | 'tensorBytes'> {
  const read = (name: 'nodes' | 'tensors' | 'tensorBytes'): number => {
    const limit: unknown = options[name] ?? GRAPH_LIMITS[name];
    if (limit === Infinity || (Number.isInteger(limit) && (limit as number) >= 0)) return limit as number;
    throw fault('E_ARGUMENT', {
      place: `limits.${name}`,
      rule: 'a limit is an integer ≥ 0, or Infinity',
      actual: describeValue(limit),
      hint: `leave it out for ${GRAPH_LIMITS[name]}`,
    });
  };
  return { nodes: read('nodes'), tensors: read('tensors'), tensorBytes: read('tensorBytes') };
}
