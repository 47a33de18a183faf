/**
 * @file `npm run bench`: the engine's own cost; with `--passes` what compilation gives alone; with `--peers` the whole engine beside others; with `--sweep` its bare kernels; with `--gpu`
 * the modes of gpu.js; with `--schedule` parts of a graph on several workers.
 *
 * Each is a program that reads its own options.
 */
const { argv } = process;
if (argv.includes('--peers')) await import('./peers/main.js');
else if (argv.includes('--sweep')) await import('./sweep.js');
else if (argv.includes('--gpu')) await import('./gpu/main.js');
else if (argv.includes('--schedule')) await import('./schedule.js');
else if (argv.includes('--passes')) await import('./passes/main.js');
else await import('./engine.js');

export {};
