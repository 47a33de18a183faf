/**
 * @file One node's op in the words of the interchange format.
 */
import { fault } from '../../../errors/index.js';
import { interchangeName } from '../../../ops/interchange.js';
import { findOp } from '../../../ops/registry.js';
import { readParams } from '../../../ops/params.js';
import { placeOf, type OpNode } from '../../graph.js';
import { textOfParams } from '../../plainText.js';

const defaults = new Map<string, string>();

/** True when a node of this op says nothing beyond its name. */
function isPlain({ op, params }: OpNode): boolean {
  let text = defaults.get(op);
  if (text === undefined) defaults.set(op, (text = textOfParams(readParams(findOp(op)!, {}, { op }))));
  return textOfParams(params) === text;
}

/** @throws EinstreamError E_GRAPH for what the format has no word for */
export function opText(node: OpNode): string {
  const { op, params, inputs } = node;
  if (op === 'einsum' && typeof params['spec'] === 'string') return einsumText(params['spec'], params['sizes']);
  const unknown = /^(\w+):([^]*)$/.exec(op);
  if (unknown !== null) return `{${JSON.stringify(unknown[1])}:{"op":${JSON.stringify(unknown[2])}}}`;
  const reduce = interchangeName('reduce', op);
  if (reduce !== undefined && isReduction(node)) return reduceText(reduce, node);
  const [unary, binary] = [interchangeName('unary', op), interchangeName('binary', op)];
  const kind =
    inputs.length === 1 && unary !== undefined
      ? 'ElemUnary'
      : binary !== undefined
        ? 'ElemBinary'
        : unary !== undefined
          ? 'ElemUnary'
          : undefined;
  if (kind !== undefined && isPlain(node)) return `{"${kind}":{"op":"${(kind === 'ElemUnary' ? unary : binary)!}"}}`;
  throw fault('E_GRAPH', {
    ...placeOf(node),
    rule:
      kind === undefined && reduce === undefined
        ? 'the interchange format has no such op'
        : 'the interchange format has no parameters of this op',
    actual: kind === undefined && reduce === undefined ? op : textOfParams(params),
    hint: "write the form 'einstream'",
  });
}

const einsumText = (spec: string, sizes: unknown): string =>
  `{"Einsum":{"spec":${JSON.stringify(spec)}${sizes === undefined ? '' : `,"sizes":${JSON.stringify(sizes)}`}}}`;

/** True when the parameters are those that the format has a place for: a broken graph may hold others. */
function isReduction({ params: { axis = null, keepdims = false, ddof = 0, ...others } }: OpNode): boolean {
  const isInteger = (value: unknown): boolean => Number.isSafeInteger(value);
  const hasAxes = axis === null || (Array.isArray(axis) && axis.every(isInteger));
  return hasAxes && typeof keepdims === 'boolean' && Number.isFinite(ddof) && Object.keys(others).length === 0;
}

function reduceText(name: string, { params }: OpNode): string {
  const members = [`"op":"${name}"`];
  if (params['axis'] !== null && params['axis'] !== undefined) members.push(`"axes":${JSON.stringify(params['axis'])}`);
  if (params['keepdims'] === true) members.push('"keepdims":true');
  if (params['ddof'] !== undefined && params['ddof'] !== 0) members.push(`"ddof":${String(params['ddof'])}`);
  return `{"Reduce":{${members.join()}}}`;
}
