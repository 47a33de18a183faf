/**
 * @file The four kinds of op of the interchange format, each as one of ours.
 *
 * A name that the format does not know stays as `ElemUnary:name`, an op that is not registered, for `validate` to report.
 */
import type { Params } from '../../../ops/op.js';
import { interchangeOp, type InterchangeKind } from '../../../ops/interchange.js';
import type { JsonReader } from '../../json/index.js';
import { noParams } from '../params.js';

/** One op with its parameters, shared by all nodes that say the same. */
export interface OpEntry {
  readonly op: string;
  readonly params: Params;
  /** Of an `Einsum`: its spec, which may be wrapped. */
  readonly spec?: string;
}

const KINDS: ReadonlyMap<string, InterchangeKind> = new Map<string, InterchangeKind>([
  ['ElemUnary', 'unary'],
  ['ElemBinary', 'binary'],
  ['Reduce', 'reduce'],
]);

/** Reads the value of `op`: an object with one member, the kind. */
export function opReader(reader: JsonReader, paramsOf: (op: string, given: Params) => Params): () => OpEntry {
  const known = new Map<string, OpEntry>();
  const named = { unary: new Map<string, OpEntry>(), binary: new Map<string, OpEntry>() };
  let entry: OpEntry | undefined;
  let [name, spec, axes, keepdims, ddof, sizes] = [undefined, undefined, undefined, undefined, undefined, undefined] as [
    string?,
    string?,
    (readonly number[])?,
    boolean?,
    number?,
    Params?,
  ];

  const onDetail = (key: string): void => {
    if (key === 'op') name = reader.string();
    else if (key === 'spec') spec = reader.string();
    else if (key === 'axes' && reader.peek() !== 'null') axes = reader.integers();
    else if (key === 'keepdims' && reader.peek() !== 'null') keepdims = reader.boolean();
    else if (key === 'ddof' && reader.peek() !== 'null') ddof = reader.number();
    else if (key === 'sizes' && reader.peek() === 'object') sizes = reader.value() as Params;
  };
  const onKind = (kind: string): void => {
    if (entry !== undefined)
      throw reader.fault('E_PARSE', { rule: 'an op is an object with one member, its kind', actual: 'a second member' });
    name = spec = axes = keepdims = ddof = sizes = undefined;
    const at = reader.offset();
    if (reader.peek() === 'object') reader.object(onDetail);
    else reader.skip();
    const table = KINDS.get(kind);
    if (kind === 'Einsum') entry = einsumEntry(at);
    else if (table !== undefined) entry = namedEntry(kind, table, at);
    else entry = remember(`?${kind}:${name ?? ''}`, () => ({ op: `${kind}:${name ?? ''}`, params: noParams }));
  };

  const remember = (key: string, make: () => OpEntry): OpEntry => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = make()));
    return found;
  };
  const einsumEntry = (at: number): OpEntry => {
    if (spec === undefined) throw reader.fault('E_PARSE', { rule: 'an Einsum must have a "spec"', actual: 'none' }, at);
    const [text, given] = [spec, sizes];
    const make = (): OpEntry => ({
      op: 'einsum',
      params: paramsOf('einsum', given === undefined ? { spec: text } : { spec: text, sizes: given }),
      spec: text,
    });
    return given === undefined ? remember(`e${text}`, make) : make();
  };
  const namedEntry = (kind: string, table: InterchangeKind, at: number): OpEntry => {
    if (name === undefined) throw reader.fault('E_PARSE', { rule: `an ${kind} must have an "op"`, actual: 'none' }, at);
    const given = name;
    if (table !== 'reduce') {
      let found = named[table].get(given);
      if (found === undefined) named[table].set(given, (found = plain(kind, given, interchangeOp(table, given))));
      return found;
    }
    return remember(`r${axes?.join() ?? '*'}|${keepdims ?? ''}|${ddof ?? ''}|${given}`, () => reduction(kind, given));
  };
  const plain = (kind: string, given: string, op: string | undefined): OpEntry =>
    op === undefined ? { op: `${kind}:${given}`, params: noParams } : { op, params: paramsOf(op, noParams) };
  const reduction = (kind: string, given: string): OpEntry => {
    const op = interchangeOp('reduce', given);
    if (op === undefined) return plain(kind, given, op);
    // No axes is no reduction; axes left out are all axes.
    if (axes?.length === 0) return { op: 'identity', params: paramsOf('identity', noParams) };
    return {
      op,
      params: paramsOf(op, {
        axis: axes ?? null,
        ...(keepdims === undefined ? {} : { keepdims }),
        ...(ddof === undefined ? {} : { ddof }),
      }),
    };
  };

  return () => {
    entry = undefined;
    const at = reader.offset();
    reader.object(onKind);
    if (entry === undefined)
      throw reader.fault('E_PARSE', { rule: 'an op is an object with one member, its kind', actual: 'an empty object' }, at);
    return entry;
  };
}
