/**
 * @file What `einstream run` says about itself.
 */

export const GRAPH = `  --dtype DTYPE        interchange form: dtype of inputs and constants (float32, float64, int32, bool)
  --size LETTER=SIZE   interchange form: size of an einsum letter that only an output has; may be repeated
`;

export const RUN = `einstream run GRAPH [FEEDS]: run a graph on a stream of feeds

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
  --keep NAME          also write this value of the graph; may be repeated. Not with --workers
  --level LEVEL        optimisation: none, basic, standard (default), aggressive. Not with --workers
  --max-line BYTES     longest line of feeds; 67108864 by default, 1073741824 at most
  --on-error ACTION    stop (default) at the first bad line, or skip it, go on and exit with 1 at the end
  --out FILE           write outputs here
  --progress WHEN      a line on the standard error that says how far the run is: auto (default) where that is a terminal,
                       always (elsewhere a line every two seconds), never
  --workers N          compute on N threads, several lines at once; outputs keep their order. 0 by default: no thread more
${GRAPH}
Windows: lines put together, stacked along a new axis 0 into one feed
  --window SPEC        count=64        64 lines each; count=64/16 begins one every 16 lines. The last may be shorter
                       tumbling=60s    one minute each, by the time that each line has
                       hopping=60s/10s one minute each, one beginning every ten seconds
                       session=30s     lines with less than 30 s between one and the next
                       Durations have a unit: ms, s, m, h, d. Windows of time are counted from the beginning of 1970, UTC, and
                       begin later by what follows a +: tumbling=7d+4d are weeks from Monday on
  --time NAME          the key that holds the time of a line: milliseconds since 1970, or text such as 2008-09-29 or
                       2008-09-29T14:30:00Z. It may be an input as well, if that is float64
  --delay DURATION     wait so much longer, in times of lines, for lines that come after later ones; 0 by default
  --late FILE          write lines here, as they came, whose window was closed already; without it they are errors
  Outputs begin with the window: {"window":[0,60000],"y":…}, its start and end in milliseconds; of count windows, in lines.
  An error names the first line of the window. Each value of a line has the same shape and dtype in all lines of a window.

Checkpoints: a run that can be killed
  --checkpoint FOLDER  keep the place here: the lines read, the lines written, the windows that are open; the last two are kept
  --checkpoint-every N after N lines, or a time such as 500ms, 1m; 5s by default. Also at the end, and when a signal stops the run
  --resume             go on where the last checkpoint was, or begin where there is none. Graph, options and files must be the
                       same, and the feeds up to there: they are read again and compared, from the standard input too
  --out FILE and --late FILE are cut to what was committed, so each line is there once. The standard output cannot be cut: lines
  written after the last checkpoint come again.

Signals  The first SIGINT (Ctrl-C) or SIGTERM takes no more lines, tells what is on its way (for 10 s at most), saves the
         checkpoint, and exits with 130 or 143. The second exits at once.
`;
