/**
 * @file The command line as a function of arguments and streams, so that specs can call it.
 */
import { createRequire } from 'node:module';
import { EinstreamError, fault, formatErrorLine, quoted } from '../errors/index.js';
import { errorLine } from './error-line.js';
import { helpOn } from './help.js';
import { EXIT, type Command, type Io } from './io.js';
import { isBrokenPipe, writeText } from './line-sink.js';

/** Loaded when called: help need not wait for the engine. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([
  ['run', async () => (await import('./run.js')).runCommand],
  ['check', async () => (await import('./check.js')).checkCommand],
  ['inspect', async () => (await import('./inspect.js')).inspectCommand],
  ['bench', async () => (await import('./bench.js')).benchCommand],
]);

/** Runs a command line. @returns the exit code; nothing is thrown */
export async function main(args: readonly string[], io: Io): Promise<number> {
  // A write's own callback says what went wrong; the event would end the process.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => undefined);
  const [command, ...rest] = args;
  try {
    return await dispatch(command, rest, io);
  } catch (error) {
    if (isBrokenPipe(error)) return EXIT.ok;
    const isUsage = error instanceof EinstreamError && error.code === 'E_ARGUMENT';
    await writeText(io.stderr, `${lineOf(error, command)}\n`).catch(() => undefined);
    return isUsage ? EXIT.usage : EXIT.failed;
  }
}

async function dispatch(command: string | undefined, rest: readonly string[], io: Io): Promise<number> {
  if (command === '--version' || command === '-v') return say(io, `${versionOfPackage()}\n`);
  if (command === '--help' || command === '-h') return say(io, helpOn(undefined)!);
  if (command === 'help') return say(io, pageOf(rest[0]));
  if (command === undefined) {
    await writeText(io.stderr, helpOn(undefined)!);
    return EXIT.usage;
  }
  const load = COMMANDS.get(command);
  if (load === undefined) throw unknown(command);
  if (rest.includes('--help') || rest.includes('-h')) return say(io, pageOf(command));
  return (await load())(rest, io);
}

async function say(io: Io, text: string): Promise<number> {
  await writeText(io.stdout, text);
  return EXIT.ok;
}

function pageOf(command: string | undefined): string {
  const page = helpOn(command);
  if (page === undefined) throw unknown(command!);
  return page;
}

const unknown = (command: string): EinstreamError =>
  fault('E_ARGUMENT', {
    rule: 'the command must be known',
    expected: [...COMMANDS.keys(), 'help'].join(', '),
    actual: quoted(command),
  });

/** By the package's own name: the same from the sources, from `dist`, and where it is installed. */
const versionOfPackage = (): string =>
  (createRequire(import.meta.url)('einstream/package.json') as { readonly version: string }).version;

function lineOf(error: unknown, command: string | undefined): string {
  const isKnown = command !== undefined && COMMANDS.has(command);
  const name = isKnown ? `einstream ${command}` : 'einstream';
  if (!(error instanceof EinstreamError)) return `${name}: ${formatErrorLine(error)}`;
  const { place, location } = error.diagnostic;
  if (error.code !== 'E_ARGUMENT') return errorLine(error, { file: location?.file ?? name });
  const isAboutCall = place === undefined || place.startsWith('--');
  return `${name}: ${formatErrorLine(error)}${isAboutCall ? `; see einstream help${isKnown ? ` ${command}` : ''}` : ''}`;
}
