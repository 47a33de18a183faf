/**
 * @file Times compilations in a process of its own: the first one, and where asked the fifth. Prints one line of JSON.
 *
 * By the clock, or of the processor if that is less: others may have it at times.
 *
 * Arguments: form (`rules` or `chain`), nodes, level, how many compilations.
 */
import { compile, graph, input, neg, nodeCount, relu, type Graph, type Level } from '../../../src/index.js';
import { ruleBase } from '../../support/ruleBase.js';

const [form, count, level, times] = process.argv.slice(2);
const size = Number(count);

/** Two ops in turn. */
const chain = (): Graph =>
  graph({ x: input([4]) }, ({ x }) => {
    let y = x;
    for (let at = 0; at < size; at += 2) y = relu(neg(y));
    return { y };
  });
// About 28 nodes a rule.
const make = form === 'chain' ? chain : (): Graph => ruleBase({ rules: Math.round(size / 28) });

const took: number[] = [];
let nodes: readonly number[] = [];
for (let n = 0; n < Number(times); n++) {
  const made = make();
  const [before, used] = [performance.now(), process.cpuUsage()];
  const compiled = compile(made, { level: level as Level });
  const { user, system } = process.cpuUsage(used);
  took.push(Math.min(performance.now() - before, (user + system) / 1000));
  nodes = [nodeCount(made), nodeCount(compiled)];
}
console.log(JSON.stringify({ first: took[0], last: Math.min(...took.slice(-5)), nodes }));
