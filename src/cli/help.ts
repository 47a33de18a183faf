/**
 * @file What the command line says about itself.
 */
import { BENCH } from './help-bench.js';
import { GRAPH, RUN } from './help-run.js';

const GENERAL = `einstream: tensor graphs as streams

Usage
  einstream run GRAPH [FEEDS]     run a graph on feeds, one JSON object a line
  einstream check GRAPH…          list everything that is wrong with a graph
  einstream inspect GRAPH         show its values, shapes and sizes, or export it
  einstream bench GRAPH [FEEDS]   compare levels and backends on real runs
  einstream help [COMMAND]
  einstream --version

GRAPH is a file: einstream's own JSON, or the EinsumGraph interchange JSON. A file named - is the standard input.

Example
  einstream run graph.json < feeds.ndjson > outputs.ndjson

Exit codes
  0  all went well      1  something is wrong with what was read      2  the call itself was wrong
  130, 143  stopped by SIGINT (Ctrl-C) or SIGTERM
`;

const CHECK = `einstream check GRAPH…: list everything that is wrong with graphs

Errors are such that the graph cannot run (exit code 1); warnings are odd, but harmless.

Options
  --format FORMAT      text (default), line (one line each), or json (one object a line)
  --shapes NAME=SIZES  check for inputs of these shapes, such as x=32,784 or x=n,784; may be repeated
${GRAPH}`;

const INSPECT = `einstream inspect GRAPH: show what is in a graph

Options
  --format FORMAT      text (default): a table; ascii, dot, graphml, json (einstream's own form), interchange
  --passes             what passes make of the graph instead: rewrites with their rules, orders of contractions, and the nodes,
                       operations and bytes that each pass saves
  --level LEVEL        with --passes: none, basic, standard (default), aggressive
  --most N             with --passes: rewrites of a rule that are shown; 8 by default
  --shapes NAME=SIZES  for inputs of these shapes, such as x=32,784 or x=n,784; may be repeated. A scalar is x=
${GRAPH}`;

const PAGES: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, GENERAL],
  ['run', RUN],
  ['check', CHECK],
  ['inspect', INSPECT],
  ['bench', BENCH],
]);

/** The page of a command, or the general one; undefined where there is no such command. */
export const helpOn = (command: string | undefined): string | undefined => PAGES.get(command);
