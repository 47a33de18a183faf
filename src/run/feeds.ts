/**
 * @file Feeds and outputs: what goes into a graph and what comes out, by name.
 */
import type { Declaration } from '../graph/builder.js';
import type { Graph, Names } from '../graph/graph.js';
import type { TypedArray } from '../tensor/dtype.js';
import type { NestedArray } from '../tensor/nested.js';
import type { Tensor } from '../tensor/tensor.js';

/** A tensor, nested numbers, or a bare typed array where the declared shape is static. */
export type Feed = Tensor | NestedArray | TypedArray;

type InputsOf<I> = { readonly [K in keyof I as I[K] extends Declaration<'input'> ? K : never]: Feed };
type ParamsOf<I> = { readonly [K in keyof I as I[K] extends Declaration<'param'> ? K : never]?: Feed };

/** Inputs by name; params may be left out. For a parsed graph: any names. */
export type Feeds<I extends Names = Names> = string extends keyof I ? Readonly<Record<string, Feed>> : InputsOf<I> & ParamsOf<I>;

/** Tensors by output name, in output order, on an object without a prototype; kept values follow. */
export type Outputs<O extends Names = Names> = string extends keyof O
  ? Readonly<Record<string, Tensor>>
  : { readonly [K in keyof O]: Tensor } & Readonly<Record<string, Tensor>>;

/** The feeds that a graph of this type takes. */
export type FeedsOf<G> = G extends Graph<infer I, Names> ? Feeds<I> : never;
/** The outputs that a graph of this type gives. */
export type OutputsOf<G> = G extends Graph<Names, infer O> ? Outputs<O> : never;
