import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graph, input, relu } from '../../src/index.js';
import { fileFault } from '../../src/cli/files.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { projectRoot } from '../support/sourceFiles.js';

describe('the command line', () => {
  const files = graphFiles();
  const path = files.file(
    'g.json',
    graph({ x: input([2]) }, ({ x }) => ({ y: relu(x) })),
  );
  after(() => files.remove());

  it('explains itself, in general and by command', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, stdout, stderr } = await einstream(args);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout).to.match(/einstream run graph\.json < feeds\.ndjson > outputs\.ndjson/);
    }
    for (const command of ['run', 'check', 'inspect', 'bench']) {
      const { code, stdout } = await einstream(['help', command]);
      expect(code).to.equal(0);
      expect(stdout).to.match(new RegExp(`^einstream ${command} GRAPH`));
      expect(await einstream([command, '--help'])).to.deep.equal({ code: 0, stdout, stderr: '' });
      for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(130);
    }
  });

  it('describes every option that there is', async () => {
    for (const command of ['run', 'check', 'inspect', 'bench']) {
      const { stdout } = await einstream(['help', command]);
      const source =
        readFileSync(
          join(projectRoot, `src/cli/${command === 'run' || command === 'bench' ? `${command}-options` : command}.ts`),
          'utf8',
        ) + readFileSync(join(projectRoot, 'src/cli/load-graph.ts'), 'utf8');
      const options = [...source.matchAll(/^ +'?([\w-]+)'?: \{ type: '(?:string|boolean)'/gm)].map((found) => found[1]);
      expect(options.length).to.be.greaterThan(3);
      for (const option of options) expect(stdout, option).to.match(new RegExp(`^ {2}--${option} `, 'm'));
    }
  });

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
    expect(await einstream(['--version'])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('without a command prints its help as an error', async () => {
    const { code, stdout, stderr } = await einstream([]);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.match(/^einstream: tensor graphs as streams/);
  });

  const WRONG: readonly (readonly [title: string, args: readonly string[], says: RegExp])[] = [
    [
      'an unknown command',
      ['train'],
      /^einstream: E_ARGUMENT the command must be known; expected run, check, inspect, bench, help, got "train"; see einstream help$/,
    ],
    ['help on an unknown command', ['help', 'toString'], /got "toString"/],
    ['an unknown option', ['run', path, '--fast'], /^einstream run: E_ARGUMENT Unknown option '--fast'; see einstream help run$/],
    ['an option without its value', ['run', path, '--level'], /^einstream run: E_ARGUMENT .*'--level <value>' argument missing/],
    [
      'an option with another value',
      ['run', path, '--level', 'max'],
      /E_ARGUMENT "--level": .*expected none, basic, standard, aggressive, got "max"/,
    ],
    [
      'a limit that is none',
      ['run', path, '--max-line', '1e9'],
      /E_ARGUMENT "--max-line": the option is an integer in its range; expected 1 to 1073741824, got "1e9"/,
    ],
    ['no graph', ['run'], /E_ARGUMENT a graph file is needed/],
    ['a file too many', ['run', path, path, 'third'], /E_ARGUMENT there are more file names.*got "third"/],
    ['the standard input twice', ['run', '-'], /E_ARGUMENT the standard input holds the graph or the feeds, not both/],
    ['a value to keep that there is not', ['run', path, '--keep', 'h'], /E_ARGUMENT "keep": .*got "h"/],
    ['shapes that are none', ['inspect', path, '--shapes', 'x'], /E_ARGUMENT "--shapes": shapes are name=sizes/],
    ['shapes with a negative size', ['inspect', path, '--shapes', 'x=-2'], /E_ARGUMENT|E_SHAPE/],
    ['a size that is none', ['run', path, '--size', 'bc=2'], /E_ARGUMENT "--size"/],
    ['a dtype that is none', ['check', path, '--dtype', 'float16'], /E_ARGUMENT "--dtype".*got "float16"/],
    [
      'a graph that is not there',
      ['run', join(files.folder, 'none.json')],
      /E_ARGUMENT ".*none\.json": the file must be readable; got no such file \(ENOENT\)$/,
    ],
    ['a graph that is a directory', ['inspect', files.folder], /the file must be readable; got a directory \(EISDIR\)$/],
    ['a path through a file', ['check', join(path, 'x')], /got a path through a file \(ENOTDIR\)$/],
    ['feeds that are not there', ['run', path, join(files.folder, 'none.ndjson')], /none\.ndjson": the file must be readable/],
    [
      'an output in a folder that is not there',
      ['run', path, '--out', join(files.folder, 'none/y')],
      /the file must be writable; got no such file/,
    ],
  ];
  for (const [title, args, says] of WRONG) {
    it(`called with ${title} says so in one line and exits with 2`, async () => {
      const { code, stdout, stderr } = await einstream(args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr.split('\n')).to.have.length(2);
      expect(stderr.trim()).to.match(says);
    });
  }

  it('called with a file that may not be read says so', () => {
    const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(fileFault('secret.json', 'the file must be readable', refused).message).to.equal(
      '"secret.json": the file must be readable; got no permission (EACCES)',
    );
  });
});
