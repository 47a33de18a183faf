/**
 * @file What a compilation depends on, as one text: equal texts are equal compilations, and only those.
 *
 * Each part is preceded by its length, so no part runs into the next. Texts are compared in full, never by a hash.
 */
import type { Backend } from '../../backends/index.js';
import { bytesOf, toBase64 } from '../../graph/base64.js';
import { formOf, namesText } from '../../graph/canonical.js';
import type { Graph, NodeId } from '../../graph/graph.js';
import { plainText } from '../../graph/plainText.js';
import type { Dims } from '../../ops/dims.js';
import type { Tensor } from '../../tensor/tensor.js';
import { compiledOf } from '../compiled.js';
import { keptId } from '../prepare.js';
import { retained } from '../run.js';
import { readCompileOptions, type CompileOptions, type CompileSettings } from './options.js';

/** A key in two parts: the tensors of a graph may be large, and are compared where they lie. */
export interface KeyParts {
  readonly text: string;
  readonly tensors: readonly Tensor[];
}

/** What keys are made of. @throws EinstreamError E_ARGUMENT for a kept name that no value has */
export function keyParts(given: Graph, settings: CompileSettings): KeyParts {
  const graph = compiledOf(given)?.graph ?? given;
  const kept = [...settings.keep.map((name) => ({ name, id: keptId(graph, name) })), ...seenBy(graph, settings)];
  // What is kept is in the result like an output; only outputs have an order that counts.
  const whole = kept.length === 0 ? graph : { ...graph, outputs: [...graph.outputs, ...kept] };
  const { text, tensors } = formOf(whole);
  const parts = [text, namesText(whole), String(kept.length), optionsText(settings)];
  return { text: parts.map(prefixed).join(''), tensors };
}

const seenBy = (graph: Graph, { use }: CompileSettings): readonly { readonly name: string; readonly id: NodeId }[] =>
  retained(graph, use).map((id) => ({ name: '', id }));

const prefixed = (part: string): string => `${part.length}:${part}`;

/** What the options say, without middleware and kept names: these are values of the graph. */
export function optionsText({ shapes, backend, ...settings }: CompileSettings): string {
  const { level, fastMath, fusion, constantFolding, shapeInference, memoryEstimation, memoryBudget, parallelism, order } =
    settings;
  const flags = { level, fastMath, fusion, constantFolding, shapeInference, memoryEstimation, memoryBudget, parallelism, order };
  return [plainText(flags), plainText(shapes), backend === undefined ? '' : backendText(backend)].map(prefixed).join('');
}

const backendText = ({ name, capabilities }: Backend): string => plainText({ name, capabilities });

/**
 * The key of a compilation: graph, options and shapes. It covers ops, parameters, wiring, inputs and outputs with their names,
 * constants bit by bit, dtypes, dims, level, flags, kept values and what the backend can do; not the names of other values, nor
 * nodes that no output depends on. Equal keys are equal in all of these, and only those.
 *
 * ```ts
 * const make = (name: string, value: number) => graph({ x: input([2]), k: constant(tensor([value])) }, ({ x, k }) => ({ y: mul(named(name, exp(x)), k) }));
 * compilationKey(make('a', 0)) === compilationKey(make('b', 0)) // => true
 * compilationKey(make('a', 0)) === compilationKey(make('a', -0)) // => false
 * ```
 *
 * @param shapes stands for `options.shapes`
 * @throws EinstreamError E_ARGUMENT for options outside their range
 */
export function compilationKey(
  graph: Graph,
  options: CompileOptions = {},
  shapes: Readonly<Record<string, Dims>> | undefined = options.shapes,
): string {
  const { text, tensors } = keyParts(graph, readCompileOptions(shapes === undefined ? options : { ...options, shapes }));
  return [text, ...tensors.map(({ data }) => toBase64(bytesOf(data)))].map(prefixed).join('');
}
