import { expect } from 'chai';
import { einsum, graph, input, relu } from '../../src/index.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

describe('einstream check', () => {
  const files = graphFiles();
  const sound = files.file(
    'sound.json',
    graph({ x: input(['n', 3]) }, ({ x }) => ({ y: relu(einsum('ni->in', x)) })),
  );
  const broken = files.file(
    'broken.json',
    JSON.stringify({
      tensors: ['x', 'y', 'z', 'lonely'],
      nodes: [
        { op: { ElemUnary: { op: 'frob' } }, inputs: [0], outputs: [1] },
        { op: { Einsum: { spec: 'ij,jk->ik' } }, inputs: [1], outputs: [2] },
      ],
      inputs: [0, 3],
      outputs: [2],
    }),
  );
  after(() => files.remove());

  it('says in one line that a graph is sound', async () => {
    expect(await einstream(['check', sound])).to.deep.equal({
      code: 0,
      stdout: `${sound}: sound: 3 nodes, 1 input, 1 output\n`,
      stderr: '',
    });
  });

  it('lists all faults of a broken one, not the first alone, and counts them', async () => {
    const { code, stdout, stderr } = await einstream(['check', broken]);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout)
      .to.match(/^\[ERROR\] .*frob/m)
      .and.match(/^\[ERROR\] "z".*operands/m)
      .and.match(/^\[WARNING\] "lonely"/m);
    expect(stdout.trim().split('\n').at(-1)).to.equal(`${broken}: 2 errors, 1 warning`);
  });

  it('prints a line each, or an object each, for other programs', async () => {
    const asLines = await einstream(['check', broken, '--format', 'line']);
    expect(asLines.code).to.equal(1);
    expect(
      asLines.stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(0, broken.length + 2)),
    ).to.deep.equal(new Array(3).fill(`${broken}: `));
    const asJson = (await einstream(['check', broken, '--format', 'json'])).stdout.trim().split('\n');
    const found = asJson.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.map(({ severity, place }) => [severity, place])).to.deep.equal([
      ['error', 'y'],
      ['error', 'z'],
      ['warning', 'lonely'],
    ]);
  });

  it('shows the place in a text that is no graph', async () => {
    const path = files.file('text.json', '{"tensors": ["x"],\n "nodes": nothing}');
    const { code, stdout } = await einstream(['check', path]);
    expect(code).to.equal(1);
    expect(stdout).to.contain(`at ${path}:2:11`).and.to.match(/^ +\^/m);
    expect((await einstream(['check', path, '--format', 'line'])).stdout).to.match(/text\.json:2:11: E_PARSE /);
  });

  it('checks with given shapes, and several files', async () => {
    const clash = await einstream(['check', sound, broken, '--shapes', 'x=2,4']);
    expect(clash.code).to.equal(1);
    expect(clash.stdout).to.match(/^\[ERROR\] "x" input: axis 1 must have the declared size; expected 3 .*, got 4/m);
    expect((await einstream(['check', sound, sound, '--shapes', 'x=2,3'])).code).to.equal(0);
    expect((await einstream(['check', sound, '--shapes', 'q=2'])).code).to.equal(2);
  });
});
