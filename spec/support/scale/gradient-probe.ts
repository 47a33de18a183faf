/**
 * @file A large graph differentiated, measured stage by stage. A program of its own: `node gradient-probe.js <form> <count> <run>`.
 *
 * Its last line is JSON, as the probe's; the result is the sum of the gradient where `run` is asked for, else the count of nodes.
 */
import { gradient } from '../../../src/autodiff/index.js';
import { nodeCount, parseGraph, validate, type Graph } from '../../../src/graph/index.js';
import { evaluateSync } from '../../../src/run/index.js';
import { tensor } from '../../../src/tensor/index.js';
import type { Measured, Stage } from './measure.js';
import { stageOn } from './stage.js';
import { chain, ties } from './texts.js';

const [form = 'ties', count = '1000', what = 'run'] = process.argv.slice(2);
const stages: Stage[] = [];
const stage = stageOn(stages);
const bytes = (form === 'chain' ? chain : ties)(Number(count));
const graph: Graph = stage('load', () => parseGraph(bytes));
stage('validate', () => validate(graph));
const of = graph.outputs[0].name;
const slopes = stage('differentiate', () => gradient(graph, { of, wrt: ['t0'], seed: 'ones' }));
const results =
  what === 'run'
    ? [(stage('run', () => evaluateSync(slopes, { t0: tensor([0.25, 0.5, -3]) }))['t0'].toArray() as number[]).reduce((a, b) => a + b)] // prettier-ignore
    : [nodeCount(slopes)];
const measured: Measured = { bytes: bytes.length, stages, peak: process.resourceUsage().maxRSS / 1024, results };
console.log(JSON.stringify(measured));
