/**
 * @file A graph at one feed, in float64: its slopes there by the ops' rules, and its values nearby.
 */
import { gradient } from '../../autodiff/index.js';
import { targetsOf, type Target } from '../../autodiff/targets.js';
import { js, type Backend } from '../../backends/index.js';
import { fault } from '../../errors/index.js';
import { freezeGraph } from '../../graph/builder.js';
import { findNode, isValueNode, nameOf, nodesOf, type Graph } from '../../graph/graph.js';
import { inferTypes } from '../../graph/shapes.js';
import { throwIfBroken } from '../../graph/validate/validate.js';
import { evaluateSync } from '../../run/evaluate.js';
import type { Feed } from '../../run/feeds.js';
import { isFloating, typedArrayKind } from '../../tensor/dtype.js';
import type { Shape } from '../../tensor/shape.js';
import { packed, Tensor, tensorOver } from '../../tensor/tensor.js';
import { asDouble, holding, inDouble } from './in-double.js';
import type { Difference } from './slopes.js';

/** What the graph is differentiated by. */
export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  /** Row-major. */
  readonly elements: Float64Array;
  readonly slopes: Float64Array;
  /** How the weighted outputs change as one element does. */
  readonly differenceAt: (element: number) => Difference;
}

export interface Point {
  readonly parameters: readonly Parameter[];
  /** False where some output is NaN: a slope that is NaN is then right, though between two NaN nothing seems to change. */
  readonly isDefined: boolean;
}

type Feeds = Readonly<Record<string, Feed>>;
type Values = readonly Float64Array[];

const reference = js();

/** @throws EinstreamError as `gradient` and `evaluateSync`; E_ARGUMENT for a parameter that nothing feeds */
export function pointAt(
  graph: Graph,
  feeds: Feeds,
  options: { readonly of?: readonly string[]; readonly wrt?: readonly string[]; readonly backend?: Backend },
): Point {
  throwIfBroken(graph);
  const double = inDouble(graph);
  const types = inferTypes(double);
  const isReal = (id: number): boolean => isFloating(types[id]?.dtype ?? 'bool');
  const of = targetsOf(double, 'of', options.of ?? double.outputs.filter(({ id }) => isReal(id)).map(({ name }) => name));
  const wrt = targetsOf(double, 'wrt', options.wrt ?? double.inputs.filter(isReal).map((id) => nameOf(findNode(double, id)!)));
  for (const { id, name } of wrt) requireFed(double, id, name);

  const runs = { backend: options.backend ?? reference };
  const given = Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, widened(value)]));
  const stopped = [...nodesOf(double)].filter(({ op }) => op === 'stopGradient');
  const all: readonly Tensor[] = Object.values(evaluateSync(withOutputs(double, [...of, ...wrt, ...stopped]), given, runs));
  const [outputs, starts, stops] = [all.slice(0, of.length), all.slice(of.length, -stopped.length || undefined), all.slice(of.length + wrt.length)]; // prettier-ignore
  const held = withOutputs(holding(double, new Map(stopped.map(({ id }, k) => [id, stops[k]]))), of);
  const weights = outputs.map(weightsFor);
  const slopes: Readonly<Record<string, Tensor>> = evaluateSync(
    gradient(double, { of: of.map(({ name }) => name), wrt: wrt.map(({ name }) => name), seed: 'feed' }),
    { ...given, ...Object.fromEntries(of.map(({ name }, k) => [`${name}.cotangent`, weights[k]])) },
    runs,
  );
  return {
    isDefined: outputs.every(({ data }) => !(data as Float64Array).some(Number.isNaN)),
    parameters: wrt.map(({ name }, k): Parameter => {
      const { dtype, shape } = starts[k];
      const elements = packed(starts[k]) as Float64Array;
      const moved = { ...given, [name]: tensorOver(elements, dtype, shape) };
      const valuesAt = (element: number, by: number): Values => {
        const x = elements[element];
        elements[element] = x + by;
        const values = Object.values(evaluateSync(held, moved, runs)).map(({ data }) => data as Float64Array);
        elements[element] = x;
        return values;
      };
      return {
        name,
        shape,
        elements,
        slopes: slopes[name].data as Float64Array,
        differenceAt: (element) => (a, b) => weighted(weights, valuesAt(element, a), valuesAt(element, b)),
      };
    }),
  };
}

function requireFed(graph: Graph, id: number, name: string): void {
  const node = findNode(graph, id)!;
  if (node.op === 'input' || (isValueNode(node) && node.op === 'param')) return;
  throw fault('E_ARGUMENT', {
    place: name,
    rule: 'gradients are checked by inputs and params',
    actual: `the result of ${node.op}`,
  });
}

const withOutputs = (graph: Graph, what: readonly Pick<Target, 'id'>[]): Graph =>
  freezeGraph({ ...graph, outputs: what.map(({ id }, k) => ({ name: `value ${k}`, id })) });

function widened(value: Feed): Feed {
  if (value instanceof Tensor) return asDouble(value);
  return typedArrayKind(value) === 'Float32Array' ? Float64Array.from(value as Float32Array) : value;
}

/** Between ½ and 1½, of both signs, without a pattern that sums could hide behind; 0 for what is NaN, as it cannot be compared. */
function weightsFor({ shape, size, data }: Tensor, salt: number): Tensor {
  const weights = Float64Array.from({ length: size }, (_, at) => {
    if (Number.isNaN(data[at])) return 0;
    const turn = ((at + 1) * 0.6180339887498949 + (salt + 1) * 0.7548776662466927) % 1;
    return (at % 3 === 1 ? -1 : 1) * (0.5 + turn);
  });
  return tensorOver(weights, 'float64', shape);
}

/** Σ weight · (a − b); what is the same in both, infinities too, counts nothing. */
function weighted(weights: readonly Tensor[], a: Values, b: Values): number {
  let total = 0;
  for (let k = 0; k < weights.length; k++) {
    const [w, y, z] = [weights[k].data as Float64Array, a[k], b[k]];
    for (let i = 0; i < w.length; i++) if (!Object.is(y[i], z[i])) total += w[i] * (y[i] - z[i]);
  }
  return total;
}
