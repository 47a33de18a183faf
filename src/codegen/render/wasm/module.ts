/**
 * @file A WebAssembly module from functions over one imported memory.
 *
 * Constants of loops are immutable globals: newer V8 rebuilds `v128.const` in each iteration, globals it keeps.
 */
import { f32x4, f64x2, i32x4 } from './instructions.js';
import { flatten, nameBytes, sized, u32, vector, type Code } from './bytes.js';

export type ValueType = 'i32' | 'f32' | 'f64' | 'v128';
const TYPES: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** What a vector holds. */
type Lane = 'i32' | 'f32' | 'f64';
const SPLATS: Readonly<Record<Lane, (value: number) => Code>> = { i32: i32x4.const, f32: f32x4.const, f64: f64x2.const };

/** A local variable or parameter of the function being written. */
export interface Local {
  readonly get: Code;
  readonly set: (value: Code) => Code;
  readonly tee: (value: Code) => Code;
}

/** What a function's body is written with. */
export interface Scope {
  readonly param: (index: number) => Local;
  readonly local: (type: ValueType) => Local;
  /** A constant kept in a global: equal bytes share one. `code` is a constant instruction such as `f32x4.const(1)`. */
  readonly constant: (type: ValueType, code: Code) => Code;
  /** The same number in every lane of a vector, kept in a global. */
  readonly splat: (lanes: Lane, value: number) => Code;
  /** The index of another function of the module by name, or of an imported one, for `call`. */
  readonly functionIndex: (name: string) => number;
}

export interface FunctionSource {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results?: readonly ValueType[];
  readonly body: (scope: Scope) => Code;
}

export interface ImportedFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface ModuleSource {
  /** Imported as "env" "memory". */
  readonly memory: { readonly isShared: boolean; readonly maximumPages: number };
  /** Imported from "env". */
  readonly imports?: readonly ImportedFunction[];
  /** All are exported under their names. */
  readonly functions: readonly FunctionSource[];
}

const section = (id: number, content: Code): Code => [id, sized(content)];
const signature = ({ params, results = [] }: Pick<FunctionSource, 'params' | 'results'>): Code => [
  0x60,
  vector(params.map((type) => TYPES[type])),
  vector(results.map((type) => TYPES[type])),
];

/** The bytes of a module. */
export function moduleBytes({ memory, imports = [], functions }: ModuleSource): Uint8Array<ArrayBuffer> {
  const names = [...imports, ...functions].map(({ name }) => name);
  const globals: { readonly type: ValueType; readonly code: Code }[] = [];
  const globalIndex = new Map<string, number>();
  const constant = (type: ValueType, code: Code): Code => {
    const bytes: number[] = [];
    flatten(code, bytes);
    const key = `${type}:${bytes.join()}`;
    let index = globalIndex.get(key);
    if (index === undefined) globalIndex.set(key, (index = globals.push({ type, code }) - 1));
    return [0x23, u32(index)];
  };
  // Kernels ask for the same few numbers again and again.
  const known = new Map<Lane, Map<number, Code>>();
  const splat = (lanes: Lane, value: number): Code => {
    const make = (): Code => constant('v128', SPLATS[lanes](value));
    if (Object.is(value, -0)) return make();
    let made = known.get(lanes);
    if (made === undefined) known.set(lanes, (made = new Map()));
    let code = made.get(value);
    if (code === undefined) made.set(value, (code = make()));
    return code;
  };
  const functionIndex = (name: string): number => names.indexOf(name);
  const bodies = functions.map((source) => functionBody(source, { constant, splat, functionIndex }));
  const limits: Code = memory.isShared ? [0x03, u32(1), u32(memory.maximumPages)] : [0x01, u32(1), u32(memory.maximumPages)];
  const bytes: number[] = [];
  flatten(
    [
      [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      section(1, vector([...imports, ...functions].map(signature))),
      section(
        2,
        vector([
          [nameBytes('env'), nameBytes('memory'), 0x02, limits],
          ...imports.map(({ name }, k): Code => [nameBytes('env'), nameBytes(name), 0x00, u32(k)]),
        ]),
      ),
      section(3, vector(functions.map((_, k) => u32(imports.length + k)))),
      section(6, vector(globals.map(({ type, code }): Code => [TYPES[type], 0x00, code, 0x0b]))),
      section(7, vector(functions.map(({ name }, k): Code => [nameBytes(name), 0x00, u32(imports.length + k)]))),
      section(10, vector(bodies)),
    ],
    bytes,
  );
  return new Uint8Array(bytes);
}

function functionBody({ params, body }: FunctionSource, shared: Pick<Scope, 'constant' | 'splat' | 'functionIndex'>): Code {
  const locals: ValueType[] = [];
  const variable = (index: number): Local => ({
    get: [0x20, u32(index)],
    set: (value) => [value, 0x21, u32(index)],
    tee: (value) => [value, 0x22, u32(index)],
  });
  const code = body({
    param: variable,
    local: (type) => variable(params.length + locals.push(type) - 1),
    ...shared,
  });
  return sized([vector(locals.map((type): Code => [1, TYPES[type]])), code, 0x0b]);
}
