/** @file The logging hook: a line for each event. */
import { expect } from 'chai';
import { of } from 'rxjs';
import { graph, input } from '../../src/graph/builder.js';
import { relu } from '../../src/ops/unary/index.js';
import { context, evaluateSync, logging, run } from '../../src/run/index.js';
import { watch } from '../support/watch.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: relu(x) }));

describe('logging', () => {
  it('writes phases by default and nodes when asked, with names that cannot start a line', () => {
    const lines: string[] = [];
    const named = graph({ 'x\nrun 9: fake': input([1]) }, (symbols) => ({ 'y\nz': relu(symbols['x\nrun 9: fake']) }));
    const hooks = [logging((line) => void lines.push(line), { events: 'nodes' })];
    evaluateSync(named, { 'x\nrun 9: fake': [1] }, { context: context({ hooks }) });
    expect(lines).to.have.length(8);
    expect(lines.every((line) => /^run 1: [^\n]+$/.test(line))).to.equal(true);
    expect(lines[3]).to.match(/^run 1: start y.*z \(relu\) in frame 0$/);
  });

  it('says why a run failed', () => {
    const lines: string[] = [];
    watch(of({} as { x: number[] }).pipe(run(g, { context: context({ hooks: [logging((line) => void lines.push(line))] }) })));
    expect(lines.at(-1)).to.match(/^run 1: error .*every input needs a feed/);
  });
});
