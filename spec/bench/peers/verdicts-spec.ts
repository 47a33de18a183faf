/** @file How times become verdicts; and that the models which ONNX Runtime reads are what the format says. */
import { expect } from 'chai';
import { PEERS, bars, type Bar } from './bars.js';
import type { Row, Timing } from './measure.js';
import { initial, model, node } from './onnx/model.js';
import { summary } from './report.js';
import { verdicts } from './verdicts.js';
import { workloads } from './workloads.js';

const timing = (cpu: number, wall = cpu): Timing => ({
  cpu,
  wall,
  leastCpu: cpu / 2,
  leastWall: wall / 2,
  repetitions: 9,
  times: 1,
  distance: 0,
});
const row = (cells: Row['cells'], others = 0): Row => ({ id: 'mm', what: 'product', cells, load: 0, others });
const bar: Bar = { workloads: ['mm'], subject: 'einstream', against: PEERS, by: 'cpu', relaxed: 2, plain: 1 };
const outcomes = (cells: Row['cells'], isRelaxed = true) =>
  verdicts([row(cells)], isRelaxed, [bar]).map(({ other, ratio, outcome }) => [other, ratio, outcome]);

describe('the bench beside peers', () => {
  it('compares with the fastest peer that has a right result', () => {
    expect(
      outcomes({ einstream: timing(2), 'tfjs-wasm': timing(6), 'ort-web': timing(4), 'jax-js': { failed: 'wrong' } }),
    ).to.deep.equal([['ort-web', 2, 'met']]);
  });

  it('has one bar for relaxed SIMD and one without', () => {
    const cells = { einstream: timing(2), 'tfjs-wasm': timing(3) };
    expect(outcomes(cells)).to.deep.equal([['tfjs-wasm', 1.5, 'missed']]);
    expect(outcomes(cells, false)).to.deep.equal([['tfjs-wasm', 1.5, 'met']]);
  });

  it('counts a wrong result of the engine as missed, and what took no part not at all', () => {
    expect(outcomes({ einstream: { failed: 'wrong by 1' }, 'tfjs-wasm': timing(3) })).to.deep.equal([['tfjs-wasm', 0, 'missed']]);
    expect(outcomes({ 'tfjs-wasm': timing(3) })).to.deep.equal([]);
    expect(outcomes({ einstream: timing(1), numpy: timing(3) })).to.deep.equal([]);
  });

  it('judges two threads only where two processors were free', () => {
    const threads: Bar = { ...bar, subject: 'einstream-threads', against: ['einstream'], by: 'wall' };
    const cells = { einstream: timing(4), 'einstream-threads': timing(4, 2) };
    const judged = (others: number) => verdicts([row(cells, others)], true, [threads]);
    expect(judged(0).map(({ outcome }) => outcome)).to.deep.equal(['met']);
    expect(summary({ verdicts: judged(1) })).to.equal('0 of 0 bars met; 1 not judged, as the processors were busy');
  });

  it('has a bar for every workload but the smallest product, where none was set', () => {
    const held = new Set(bars.filter(({ subject }) => subject === 'einstream').flatMap((each) => each.workloads));
    const onThreads = bars.filter(({ subject }) => subject === 'einstream-threads').flatMap((each) => each.workloads);
    const ids = workloads.map(({ id }) => id);
    expect(ids.filter((id) => !held.has(id))).to.deep.equal(['mm64']);
    expect([...held].filter((id) => !ids.includes(id))).to.deep.equal([]);
    expect([...onThreads].sort()).to.deep.equal([...ids].sort());
  });

  it('makes inputs of the sizes that the shapes tell', () => {
    for (const { id, shapes, inputs } of workloads.filter((each) => /^(mm64|tiny|mlp1|closure)$/.test(each.id))) {
      for (const [name, values] of Object.entries(inputs()))
        expect(values, `${id} ${name}`).to.have.length(shapes[name].reduce((size, axis) => size * axis, 1));
    }
  });

  it('writes a model byte for byte as the format has it', () => {
    const bytes = model({ x: [300] }, [1], [node('Sum', 'x', 'y', { axis: -1 })], [initial('c', [2])]);
    const hex = Buffer.from(bytes).toString('hex');
    // ir_version 7, then the graph; last the set of ops, 13.
    expect(hex)
      .to.match(/^08073a/)
      .and.to.match(/42040a00100d$/);
    // node: input "x", output "y", op "Sum", attribute "axis" = −1 as 64-bit complement, of type INT
    expect(hex).to.contain(
      '0a01781201792203' + Buffer.from('Sum').toString('hex') + '2a140a0461786973' + '18ffffffffffffffffff01' + 'a00102',
    );
    // initializer: dims [2 bytes of int64], type INT64, name "c", raw data
    expect(hex).to.contain('08011007420163' + '4a080200000000000000');
    // a dimension of 300 takes two bytes
    expect(hex).to.contain('0a0308ac02');
  });
});
