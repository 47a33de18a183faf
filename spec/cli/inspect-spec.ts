import { expect } from 'chai';
import { add, at, einsum, graph, input, matmul, ones, param, range, relu, slice, softmax } from '../../src/index.js';
import { parseGraph } from '../../src/graph/formats/parse.js';
import { serializeGraph } from '../../src/graph/formats/serialize.js';
import { applyPasses, LEVELS } from '../../src/passes/index.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

describe('einstream inspect', () => {
  const files = graphFiles();
  const g = graph({ x: input(['n', 3]), w: param(ones([3, 2])) }, ({ x, w }) => ({
    y: softmax(einsum('ni,io->no', slice(x, range(1, null)), w), { axis: -1 }),
    first: slice(x, at(0)),
  }));
  const path = files.file('g.json', g);
  after(() => files.remove());

  it('shows each value with op, operands, shape, dtype and bytes', async () => {
    const { code, stdout, stderr } = await einstream(['inspect', path, '--shapes', 'x=5,3']);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.equal(
      [
        '  value     op                  from        shape   dtype    bytes',
        '  x         input                           [5, 3]  float32     60',
        '  w         param                           [3, 2]  float32     24',
        '  slice_2   slice [1:]          x           [4, 3]  float32     48',
        '  einsum_3  einsum "ni,io->no"  slice_2, w  [4, 2]  float32     32',
        '* y         softmax axis=[-1]   einsum_3    [4, 2]  float32     32',
        '* first     slice [0]           x           [3]     float32     12',
        '',
        '  6 values, * is an output; 208 bytes in all; js computes it',
        '',
      ].join('\n'),
    );
  });

  it('says who computes feeds of these shapes, where that is known', async () => {
    const wide = files.file(
      'wide.json',
      graph({ x: input(['n', 300]) }, ({ x }) => ({ y: matmul(x, ones([300, 300])) })),
    );
    const saysOf = async (...args: string[]) =>
      /(?<=; )\w+(?= computes it$)/m.exec((await einstream(['inspect', ...args])).stdout)?.[0];
    expect(await saysOf(wide, '--shapes', 'x=300,300')).to.equal('wasm');
    expect(await saysOf(wide, '--shapes', 'x=0,300')).to.equal('js');
    expect(await saysOf(wide)).to.equal(undefined);
    expect(await saysOf(wide, '--shapes', 'x=10000000,300')).to.equal(undefined);
  });

  it('shows what a fused group stands for', async () => {
    const layer = applyPasses(graph({ x: input([4, 3]), w: param(ones([3, 2])), b: param(ones([2])) }, ({ x, w, b }) => ({ y: relu(add(matmul(x, w), b)) })), LEVELS.standard, { keep: [], maxFusedNodes: 64 }).graph; // prettier-ignore
    const { stdout } = await einstream(['inspect', files.file('layer.json', layer)]);
    expect(stdout).to.match(/^\* y +fusedContraction matmul, add, relu +x, w, b +\[4, 2\] +float32 +32$/m);
  });

  it('shows symbols where sizes are not known', async () => {
    const { stdout } = await einstream(['inspect', path]);
    expect(stdout).to.match(/^ {2}x +input +\[n, 3\] +float32$/m);
    expect(stdout).to.match(/6 values, \* is an output\n$/);
  });

  it('exports every form, the JSON one so that it reads back', async () => {
    for (const [format, name] of [
      ['dot', 'dot'],
      ['graphml', 'graphml'],
      ['ascii', 'ascii'],
      ['json', 'einstream'],
    ] as const) {
      const { stdout } = await einstream(['inspect', path, '--format', format]);
      expect(stdout.trim(), format).to.equal(serializeGraph(g, name).trim());
    }
    const { stdout } = await einstream(['inspect', path, '--format', 'json']);
    expect(serializeGraph(parseGraph(stdout))).to.equal(serializeGraph(g));
    const again = await einstream(['inspect', '-', '--format', 'json'], stdout);
    expect(again.stdout).to.equal(stdout);
  });

  it('shows what it can of a broken graph, and exits with 1', async () => {
    const broken = files.file(
      'broken.json',
      '{"tensors":["x","y"],"nodes":[{"op":{"ElemUnary":{"op":"frob"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}',
    );
    const { code, stdout, stderr } = await einstream(['inspect', broken]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^\* y +ElemUnary:frob +x +\?/m);
    expect(stderr).to.equal(`${broken}: the graph is broken, errors: 1; einstream check lists them\n`);
  });
});
