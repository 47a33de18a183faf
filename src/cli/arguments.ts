/**
 * @file Arguments, read by Node's own parser; whatever it refuses is E_ARGUMENT.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeValue, fault, quoted } from '../errors/index.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: true; strict: true };

/** @throws EinstreamError E_ARGUMENT for an unknown option, or one without its value */
export function readArguments<const O extends Options>(
  args: readonly string[],
  options: O,
): ReturnType<typeof parseArgs<Config<O>>> {
  try {
    return parseArgs<Config<O>>({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const [message] = (cause as Error).message.split(/\. |\n/);
    throw fault('E_ARGUMENT', { rule: message.replace(/\.$/, ''), cause });
  }
}

/** One of a fixed set of values. */
export function oneOf<const T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw fault('E_ARGUMENT', {
    place: `--${option}`,
    rule: 'the option has a fixed set of values',
    expected: choices.join(', '),
    actual: describeValue(value),
  });
}

/** @param least and `most` are inclusive */
export function integer(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw fault('E_ARGUMENT', {
    place: `--${option}`,
    rule: 'the option is an integer in its range',
    expected: `${least} to ${most}`,
    actual: describeValue(value),
  });
}

/** At least `least` and at most `most` file names. */
export function expectFiles(names: readonly string[], least: number, most: number): void {
  if (names.length < least)
    throw fault('E_ARGUMENT', { rule: 'a graph file is needed', hint: 'name one, or - for the standard input' });
  if (names.length > most)
    throw fault('E_ARGUMENT', {
      rule: 'there are more file names than the command takes',
      expected: `at most ${most}`,
      actual: quoted(names[most]),
    });
}
