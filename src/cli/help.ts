/**
 * @file What the command line says about itself.
 */

const GENERAL = `einstream: tensor graphs as streams

Usage
  einstream run GRAPH [FEEDS]     run a graph on feeds, one JSON object a line
  einstream check GRAPH…          list everything that is wrong with a graph
  einstream inspect GRAPH         show its values, shapes and sizes, or export it
  einstream help [COMMAND]
  einstream --version

GRAPH is a file: einstream's own JSON, or the EinsumGraph interchange JSON. A file named - is the standard input.

Example
  einstream run graph.json < feeds.ndjson > outputs.ndjson

Exit codes
  0  all went well      1  something is wrong with what was read      2  the call itself was wrong
`;

const GRAPH = `  --dtype DTYPE        interchange form: dtype of inputs and constants (float32, float64, int32, bool)
  --size LETTER=SIZE   interchange form: size of an einsum letter that only an output has; may be repeated
`;

const RUN = `einstream run GRAPH [FEEDS]: run a graph on a stream of feeds

Reads one JSON object a line from FEEDS, or from the standard input, and writes one line of outputs for each, as soon as it is
there. Memory does not grow with the number of lines.

Feeds    {"x": [[1, 2], [3, "NaN"]], "w": {"shape": [2], "dtype": "float64", "data": [0.5, 1]}}
         Nested lists take the dtype that the input declares, else float32. "NaN", "Infinity" and "-Infinity" are numbers.
         Blank lines are passed over. A name that is no input is left out, and told of once.
Outputs  {"y": [3, 7]}, in the same order; a broken pipe ends the run quietly
Errors   one line each on the standard error, such as
         stdin:3: E_FEED "x": every input needs a feed; expected "x", got no "x"

Options
  --backend BACKEND    who computes: js, wasm, or default: wasm where there is enough to compute for it, js elsewhere
  --format FORMAT      nested (default), or flat: {"shape": …, "dtype": …, "data": […]}
  --keep NAME          also write this value of the graph; may be repeated
  --level LEVEL        optimisation: none, basic, standard (default), aggressive
  --max-line BYTES     longest line of feeds; 67108864 by default, 1073741824 at most
  --on-error ACTION    stop (default) at the first bad line, or skip it, go on and exit with 1 at the end
  --out FILE           write outputs here
${GRAPH}`;

const CHECK = `einstream check GRAPH…: list everything that is wrong with graphs

Errors are such that the graph cannot run (exit code 1); warnings are odd, but harmless.

Options
  --format FORMAT      text (default), line (one line each), or json (one object a line)
  --shapes NAME=SIZES  check for inputs of these shapes, such as x=32,784 or x=n,784; may be repeated
${GRAPH}`;

const INSPECT = `einstream inspect GRAPH: show what is in a graph

Options
  --format FORMAT      text (default): a table; ascii, dot, graphml, json (einstream's own form), interchange
  --shapes NAME=SIZES  for inputs of these shapes, such as x=32,784 or x=n,784; may be repeated. A scalar is x=
${GRAPH}`;

const PAGES: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, GENERAL],
  ['run', RUN],
  ['check', CHECK],
  ['inspect', INSPECT],
]);

/** The page of a command, or the general one; undefined where there is no such command. */
export const helpOn = (command: string | undefined): string | undefined => PAGES.get(command);
