/**
 * @file The text of one function for gpu.js: statements in order, and the arguments that they turned out to need.
 *
 * Only what all modes of gpu.js compute rightly is written: no functions, no arrays, no truth values but in conditions, no
 * literal that a shading language would read otherwise.
 */
import { emitted, literal } from '../../emitted.js';
import type { GpuOperand, GpuPass } from './kernel.js';
import { MOST_ARRAYS, MOST_CELLS, unable } from './limits.js';

export interface Text {
  /** Computes a value now, and gives the name of it. */
  readonly keep: (expression: string) => string;
  /** As `keep`, for a value that changes later. */
  readonly variable: (expression: string) => string;
  readonly run: (statement: string) => void;
  /** `for` over 0 … count − 1: the count is a literal, as gpu.js cuts other loops short without a word. */
  readonly loop: (count: number, body: (index: string) => void) => void;
  /** A number, whatever it is. */
  readonly f: (value: number) => string;
  /** A number as an argument, so that kernels that differ in it alone are one. */
  readonly argument: (value: number) => string;
  /** The name of an array argument. */
  readonly array: (operand: GpuOperand) => string;
  /** The function, which gives one element of `length`, or four of them. */
  readonly pass: (length: number, result: readonly string[]) => GpuPass;
}

/** Printed by all modes as they stand: neither beyond float32, nor in an exponential form that reads as another type. */
const isPrintable = (value: number): boolean => {
  const size = Math.abs(value);
  return Object.is(value, 0) || (size >= 1e-30 && size < 1e18);
};

export function text(): Text {
  const lines: string[] = [];
  const arrays = new Map<string, GpuOperand>();
  const scalars: number[] = [];
  const argument = (value: number): string => {
    const known = scalars.findIndex((each) => Object.is(each, value));
    return `s${known < 0 ? scalars.push(value) - 1 : known}`;
  };
  const constants = new Set<string>();
  let names = 0;
  const declare = (word: string, expression: string): string => {
    const name = `v${names++}`;
    lines.push(`${word} ${name}=${expression};`);
    return name;
  };
  return {
    keep(expression) {
      if (constants.has(expression)) return expression;
      const name = declare('const', expression);
      constants.add(name);
      return name;
    },
    variable: (expression) => declare('let', expression),
    run: (statement) => void lines.push(statement),
    loop(count, body) {
      const index = `k${names++}`;
      lines.push(`for(let ${index}=0;${index}<${literal(count)};${index}++){`);
      body(index);
      lines.push('}');
    },
    f: (value) => (isPrintable(value) ? literal(value) : argument(value)),
    argument,
    array(operand) {
      const key = JSON.stringify(operand);
      if (!arrays.has(key)) {
        if (arrays.size === MOST_ARRAYS)
          throw unable('more than 7 inputs', `a kernel reads at most ${MOST_ARRAYS} arrays`, 'one more');
        arrays.set(key, operand);
      }
      return `a${[...arrays.keys()].indexOf(key)}`;
    },
    pass(length, result) {
      if (length > MOST_CELLS)
        throw unable('more than 2^22 outputs', `a kernel has at most ${MOST_CELLS} results`, `${length} results`);
      const names = [...[...arrays.keys()].map((_, k) => `a${k}`), ...scalars.map((_, k) => `s${k}`)];
      const source = emitted(
        `function(${names.join()}){\n${lines.join('\n')}\nreturn ${result.length === 1 ? result[0] : `[${result.join()}]`};\n}`,
      );
      return { source, length, isTiled: result.length > 1, arrays: [...arrays.values()], scalars };
    },
  };
}
