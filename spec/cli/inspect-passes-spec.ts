import { expect } from 'chai';
import { add, compile, einsum, exp, graph, input, mul, nodeCount, relu, sub } from '../../src/index.js';
import { humanCount } from '../../src/cli/human-count.js';
import { trailOf } from '../../src/cli/trail.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { propertyRuns } from '../support/property.js';
import { ruleBase } from '../support/ruleBase.js';

/** Columns of a terminal. */
const COLUMNS = 100;

describe('einstream inspect --passes', () => {
  const files = graphFiles();
  after(() => files.remove());
  const join = files.file(
    'join.json',
    graph({ x: input(['n', 'm']), y: input(['m', 'k']) }, ({ x, y }) => ({
      z: einsum('acb->ab', einsum('ac,cb->acb', x, y)),
      d: add(mul(exp(x), 1), mul(exp(x), 1)),
    })),
  );
  const SHAPES = ['--shapes', 'x=64,128', '--shapes', 'y=128,32'];
  const told = async (...args: string[]) => {
    const { code, stdout, stderr } = await einstream(['inspect', '--passes', ...args]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(COLUMNS);
    return stdout;
  };

  it('tells what each pass saved', async () => {
    const [made, saved, , ...lines] = (await told(join, '--level', 'aggressive', ...SHAPES)).split('\n');
    expect(made).to.match(/^level aggressive: 11 → 4 nodes in [\d.]+ (µs|ms|s)$/);
    expect(saved).to.match(/^[\d.]+ times as fast, by an estimate; a frame holds 40 KiB$/);
    const rows = lines.slice(0, lines.indexOf(''));
    expect(rows.filter((line) => !/^ {2}\w+$/.test(line))).to.deep.equal([
      '  pass                           finds  nodes  operations  bytes moved  kernels',
      '  as given                                 11       565 k      2.4 MiB        7',
      '  specializeInputs                   2',
      '  eliminateCommonSubexpressions      3      8       549 k     2.27 MiB        5',
      '  simplify                           1      7       541 k     2.21 MiB        4',
      '  mergeEinsums                       1      6                  216 KiB        3',
      '  eliminateDeadNodes                 1      5',
      '  fuseElementwise                    1      4                  120 KiB        2',
      '  as it runs                                4       541 k      120 KiB        2',
    ]);
    expect(rows).to.include.members(['  eliminateDeadNodes', '  foldConstants', '  fuseEpilogues']);
  });

  it('tells each rewrite by its rule and by names', async () => {
    const stdout = await told(join, '--level', 'aggressive', ...SHAPES);
    expect(stdout).to.include(
      '\neliminateCommonSubexpressions\n  same as, 3 times\n    exp_7 → exp_4\n    constant_8 → constant_5\n    mul_9 → mul_6\n',
    );
    expect(stdout).to.include('\nsimplify\n  x · 1 = x\n    mul_6 → exp_4\n');
    expect(stdout).to.include('\neliminateDeadNodes\n  no output depends on it\n    constant_5\n');
  });

  it('shows the order of a contraction with its costs', async () => {
    const stdout = await told(join, '--level', 'aggressive', ...SHAPES);
    expect(stdout).to.match(/^ {4}einsum_2 → z\n {6}ac,cb->ab\n {8}order: +optimal\n {8}flops: +524288$/m);
    expect(stdout).to.match(/^ +2 +0, 1 +ac,cb->ab +524288 +2048$/m);
  });

  it('is bounded whatever the graph: of a rule some rewrites, of a rewrite some names, and counts', async () => {
    const long = files.file('rules.json', ruleBase({ rules: propertyRuns(30, 80, 80) }));
    const stdout = await told(long, '--shapes', 'x=8,4', '--level', 'aggressive', '--most', '3');
    expect(stdout.split('\n')).to.have.length.below(60);
    expect(stdout).to.match(/^ {2}x · 1 = x, \d{2,} times\n( {4}rule\d+ → \w+\n){3} {4}… and \d+ more$/m);
    expect(stdout).to.match(/^ {4}constant_\d+(, constant_\d+){3} and \d+ more → constant_\d+$/m);
    expect(await told(long, '--most', '0')).not.to.match(/→ where/);
  });

  it('says at the level none that nothing ran, and without sizes that costs are not known', async () => {
    expect(await told(join, '--level', 'none')).to.match(/^level none: 11 nodes in .+\n\n {2}no pass runs at this level\n$/);
    const open = await told(join, '--shapes', 'x=n,128');
    expect(open).to.match(/\noperations and bytes are known with all sizes: --shapes NAME=SIZES\n/);
    expect(open).to.match(/^ {2}as given +11 +\? +\? +\?$/m);
  });

  it('cannot have a name of the graph colour the terminal or forge a line', async () => {
    const evil = files.file(
      'evil.json',
      graph({ x: input([2]) }, ({ x }) => ({ '\u001b[31mred\nline': mul(x, 1), same: add(x, 1) })),
    );
    const stdout = await told(evil, '--level', 'aggressive');
    expect(stdout).not.to.match(/\u001b/);
    expect(stdout).to.include('\\u001b[31mred\\u000aline');
  });

  it('adds up: each pass begins where the one before ended, the first with the graph, the last with what runs', () => {
    const g = graph({ x: input([4]) }, ({ x }) => ({ y: relu(sub(mul(exp(x), 1), exp(x))) }));
    const compiled = compile(g, { level: 'aggressive' });
    const trail = trailOf(compiled, new Map());
    expect(trail.map(({ report }) => report)).to.deep.equal(compiled.reports);
    expect(trail[0].before.nodes).to.equal(nodeCount(g));
    expect(trail.at(-1)!.after.nodes).to.equal(nodeCount(compiled.graph));
    for (const [k, { before }] of trail.entries()) if (k > 0) expect(before).to.deep.equal(trail[k - 1].after);
    const { flopsBefore, flopsAfter, bytesBefore, bytesAfter } = compiled.statistics;
    expect([trail[0].before.cost, trail.at(-1)!.after.cost].map((cost) => [cost!.flops, cost!.bytes])).to.deep.equal([
      [flopsBefore, bytesBefore],
      [flopsAfter, bytesAfter],
    ]);
  });

  it('is refused with another format, and its options without it', async () => {
    for (const [args, says] of [
      [['--passes', '--format', 'dot'], /"--passes": passes are told as text; expected --format text, got dot/],
      [['--level', 'none'], /"--level": the option goes with another one.*give --passes/],
      [['--most', '3'], /"--most": the option goes with another one.*give --passes/],
      [['--passes', '--level', 'max'], /"--level": .*got "max"/],
      [['--passes', '--most', '-'], /"--most": .*got "-"/],
    ] as const) {
      const { code, stdout, stderr } = await einstream(['inspect', join, ...args]);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.match(says);
    }
  });

  it('shows a broken graph as it is', async () => {
    const broken = files.file(
      'broken.json',
      '{"tensors":["x","y"],"nodes":[{"op":{"ElemUnary":{"op":"frob"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}',
    );
    const { code, stdout, stderr } = await einstream(['inspect', broken, '--passes']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^\* y +ElemUnary:frob/m);
    expect(stderr).to.match(/the graph is broken, errors: 1/);
  });
});

describe('counts for people', () => {
  it('have three digits and a unit', () => {
    const COUNTS = [0, 7, 999, 1000, 1570, 999_499, 999_500, 2.5e9, 3e20, 5e30];
    expect(COUNTS.map(humanCount)).to.deep.equal([
      '0',
      '7',
      '999',
      '1 k',
      '1.57 k',
      '999 k',
      '1 M',
      '2.5 G',
      '300 E',
      '5.00e+30',
    ]);
  });
});
