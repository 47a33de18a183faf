/**
 * @file Outputs as one line of JSON: names to nested lists, or to `{ shape, dtype, data }`.
 *
 * NaN and the infinities are strings, as feeds take them. A float32 is written in up to nine digits that read back as it, not in the seventeen of a float64.
 * The nested form cannot tell the shape of a tensor without elements; the flat one can.
 */
import { fault } from '../errors/index.js';
import { jsonNumber, jsonNumbers, jsonString } from '../graph/json/index.js';
import type { Outputs } from '../run/index.js';
import type { DType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';

export const OUTPUT_FORMATS = ['nested', 'flat'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Elements that one line may hold: more would pass the longest string that there is. */
const MAX_ELEMENTS = 2 ** 24;

/** A text as JSON that a terminal shows as it is: controls beyond ASCII's, which JSON lets through, are escaped too. */
export const plainString = (text: string): string =>
  jsonString(text).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );

export function outputPrinter(format: OutputFormat): (outputs: Outputs) => string {
  const print = format === 'nested' ? nested : flat;
  const keys = new Map<string, string>();
  const keyOf = (name: string): string => keys.get(name) ?? keys.set(name, plainString(name)).get(name)!;
  return (outputs) => {
    const entries = Object.entries(outputs);
    const count = entries.reduce((sum, [, { size }]) => sum + size, 0);
    if (count > MAX_ELEMENTS)
      throw fault('E_LIMIT', {
        place: entries[0][0],
        rule: 'the outputs of a line have a bounded size',
        expected: `at most ${MAX_ELEMENTS} elements`,
        actual: String(count),
      });
    return `{${entries.map(([name, tensor]) => `${keyOf(name)}:${print(tensor)}`).join(',')}}`;
  };
}

const nested = ({ data, shape, dtype }: Tensor): string => jsonNumbers(data as ArrayLike<number>, shape, printerOf(dtype));

const flat = ({ data, shape, dtype }: Tensor): string =>
  `{"shape":${JSON.stringify(shape)},"dtype":${JSON.stringify(dtype)},"data":${jsonNumbers(data as ArrayLike<number>, [data.length], printerOf(dtype))}}`;

const printerOf = (dtype: DType): ((value: number) => string) =>
  dtype === 'bool' ? (value) => String(value !== 0) : dtype === 'float32' ? shortFloat32 : jsonNumber;

/** Six digits mostly do; nine always do. */
function shortFloat32(value: number): string {
  if (!Number.isFinite(value) || Number.isSafeInteger(value)) return jsonNumber(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}
