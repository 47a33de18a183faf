/**
 * @file What `einstream bench` says about itself.
 */
import { GRAPH } from './help-run.js';

export const BENCH = `einstream bench GRAPH [FEEDS]: compare levels and backends on real runs

Each backend runs the graph at each level, in turns, on the first line of FEEDS or on numbers drawn from a seed. Results are
checked against those of js at the level none; where they are too far off, the exit code is 1.

Options
  --backends NAMES     js,wasm by default
  --json               one JSON object instead of a table
  --levels NAMES       none,basic,standard,aggressive by default; none always runs, as the others are compared with it
  --runs N             turns of each that count; 20 by default. A turn has as many frames as fit in 5 ms, one at least
  --seed N             without FEEDS: another seed than 1. Reals are from -1 to 1, whole numbers from 0 to 9
  --shapes NAME=SIZES  without FEEDS: sizes that the graph leaves open, such as x=32,784; may be repeated. A scalar is x=
${GRAPH}
Columns
  least, median        milliseconds of one frame
  to none              the median as a part of that of the same backend at none: 0.50 is twice as fast
  kernels, moved       of one frame, and bytes that they read and write, by count
  held                 bytes of intermediate values and outputs that a frame holds
  off by               largest distance from js at none, as a part of the largest number of the output

Ctrl-C ends it with what was measured so far, and exits with 130.
`;
