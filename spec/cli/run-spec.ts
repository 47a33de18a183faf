import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { einsum, graph, input, log, mul, named, ones, param, relu, sum, where, greater } from '../../src/index.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

describe('einstream run', () => {
  const files = graphFiles();
  const dot = files.file(
    'dot.json',
    graph({ x: input(['n']), w: input(['n']) }, ({ x, w }) => ({ y: einsum('i,i->', x, w) })),
  );
  after(() => files.remove());

  it('answers each line with a line, in order', async () => {
    const feeds = '{"x": [1, 2], "w": [3, 4]}\n{"w": [1], "x": [0.5]}\n';
    expect(await einstream(['run', dot], feeds)).to.deep.equal({ code: 0, stdout: '{"y":11}\n{"y":0.5}\n', stderr: '' });
  });

  it('takes CRLF, blank lines, no line feed at the end, and no line at all', async () => {
    const feeds = '\r\n{"x": [1], "w": [3]}\r\n  \t\r\n\n{"x": [2], "w": [3]}';
    expect(await einstream(['run', dot], feeds)).to.deep.equal({ code: 0, stdout: '{"y":3}\n{"y":6}\n', stderr: '' });
    expect(await einstream(['run', dot], '')).to.deep.equal({ code: 0, stdout: '', stderr: '' });
  });

  it('reads nested lists, and flat data with shape and dtype; specials are strings both ways', async () => {
    const path = files.file(
      'log.json',
      graph({ x: input(['n', 'm'], { dtype: 'float64' }) }, ({ x }) => ({ y: log(x) })),
    );
    const feeds =
      '{"x": [[0, 1]]}\n{"x": {"shape": [2, 1], "dtype": "float64", "data": [-1, "Infinity"]}}\n{"x": {"data": [1], "shape": [1, 1]}}\n';
    const { stdout, code } = await einstream(['run', path], feeds);
    expect({ stdout, code }).to.deep.equal({
      code: 0,
      stdout: '{"y":[["-Infinity",0]]}\n{"y":[["NaN"],["Infinity"]]}\n{"y":[[0]]}\n',
    });
  });

  it('writes what it reads: its flat outputs fed again give the same bits', async () => {
    const path = files.file(
      'same.json',
      graph({ x: input(['n']) }, ({ x }) => ({ x: mul(x, 1) })),
    );
    const numbers = '[0.1,-0,1e-45,3.4028235e+38,"NaN","-Infinity",16777217,123456.79]';
    const once = await einstream(['run', path, '--format', 'flat'], `{"x":${numbers}}\n`);
    expect(once.stdout).to.equal(
      '{"x":{"shape":[8],"dtype":"float32","data":[0.1,-0,1.4013e-45,3.4028235e+38,"NaN","-Infinity",16777216,123456.79]}}\n',
    );
    expect(await einstream(['run', path, '--format', 'flat'], once.stdout)).to.deep.equal(once);
  });

  it('writes booleans as booleans and keeps the shape of what has no elements when flat', async () => {
    const path = files.file(
      'more.json',
      graph({ x: input(['n', 'm']) }, ({ x }) => ({ more: greater(x, 1) })),
    );
    expect((await einstream(['run', path], '{"x": [[1, 2]]}')).stdout).to.equal('{"more":[[false,true]]}\n');
    const empty = '{"x": {"shape": [0, 3], "data": []}}';
    expect((await einstream(['run', path, '--format', 'flat'], empty)).stdout).to.equal(
      '{"more":{"shape":[0,3],"dtype":"bool","data":[]}}\n',
    );
  });

  it('gives inputs the dtype they declare, and refuses numbers that it cannot hold', async () => {
    const path = files.file(
      'typed.json',
      graph({ i: input(['n'], { dtype: 'int32' }), b: input(['n'], { dtype: 'bool' }) }, ({ i, b }) => ({ y: where(b, i, 0) })),
    );
    const bad =
      '{"i": [1.5, 2], "b": [true, false]}\n{"i": [3000000000], "b": [1]}\n{"i": [1], "b": [2]}\n{"i": ["NaN"], "b": [1]}\n';
    const { stdout, stderr, code } = await einstream(
      ['run', path, '--on-error', 'skip'],
      `${bad}{"i": [7, 8], "b": [true, false]}\n`,
    );
    expect({ stdout, code }).to.deep.equal({ stdout: '{"y":[7,0]}\n', code: 1 });
    expect(stderr.split('\n').map((line) => line.slice(0, 22))).to.deep.equal([
      'stdin:1:7: E_DTYPE "i"',
      'stdin:2:7: E_DTYPE "i"',
      'stdin:3:17: E_DTYPE "b',
      'stdin:4:7: E_DTYPE "i"',
      'einstream run: 4 of 5 ',
      '',
    ]);
  });

  it('lets a line override a param, and keeps values that are asked for', async () => {
    const path = files.file(
      'param.json',
      graph({ x: input([2]), w: param(ones([2])) }, ({ x, w }) => ({ y: sum(named('products', mul(x, w))) })),
    );
    const feeds = '{"x": [1, 2]}\n{"x": [1, 2], "w": [2, 3]}\n';
    expect((await einstream(['run', path, '--keep', 'products', '--level', 'none'], feeds)).stdout).to.equal(
      '{"y":3,"products":[1,2]}\n{"y":8,"products":[2,6]}\n',
    );
  });

  it('reads over a name that is no input, and says so once', async () => {
    const feeds = '{"date": "2008-09-29", "x": [1], "w": [1]}\n{"date": "2008-09-30", "x": [1], "w": [2]}\n';
    expect(await einstream(['run', dot], feeds)).to.deep.equal({
      code: 0,
      stdout: '{"y":1}\n{"y":2}\n',
      stderr: 'stdin:1: warning: "date" is no input of the graph and is left out\n',
    });
  });

  it('runs the interchange form, with a dtype and sizes of letters given on the command line', async () => {
    const path = files.file(
      'interchange.json',
      '{"tensors":["x","y"],"nodes":[{"op":{"Einsum":{"spec":"a->ab"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1]}',
    );
    const { stdout, stderr } = await einstream(
      ['run', path, '--size', 'b=2', '--dtype', 'float64', '--format', 'flat'],
      '{"x":[0.1]}\n',
    );
    expect({ stdout, stderr }).to.deep.equal({
      stdout: '{"y":{"shape":[1,2],"dtype":"float64","data":[0.1,0.1]}}\n',
      stderr: '',
    });
  });

  it('reads feeds from a file, writes to a file, and takes the graph from the standard input', async () => {
    const feeds = files.file('feeds.ndjson', '{"x": [1], "w": [5]}\n{"x": [1]}\n');
    const out = join(files.folder, 'outputs.ndjson');
    const said = await einstream(['run', '-', feeds, '--out', out], readFileSync(dot, 'utf8'));
    expect({ ...said, file: readFileSync(out, 'utf8') }).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `${feeds}:2: E_FEED "w" input: every input needs a feed; expected "x", "w", got no "w"\n`,
      file: '{"y":5}\n',
    });
  });

  it('never empties a file that it reads', async () => {
    const feeds = files.file('kept.ndjson', '{"x": [1], "w": [5]}\n');
    const said = await einstream(['run', dot, feeds, '--out', feeds]);
    expect(said.code).to.equal(2);
    expect(said.stderr).to.match(/^einstream run: E_ARGUMENT .*--out must not be a file that is read/);
    expect(readFileSync(feeds, 'utf8')).to.equal('{"x": [1], "w": [5]}\n');
    expect(existsSync(dot)).to.equal(true);
  });

  it('tells of a disk that is full, and exits with 1', async () => {
    if (!existsSync('/dev/full')) return;
    const { code, stdout, stderr } = await einstream(['run', dot, '--out', '/dev/full'], '{"x": [1], "w": [5]}\n');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal('einstream run: E_ARGUMENT "/dev/full": writing must go on; got a full disk (ENOSPC)\n');
  });

  it('lists every fault of a broken graph, a line each, and reads no feed', async () => {
    const path = files.file(
      'broken.json',
      '{"tensors":["x","y"],"nodes":[{"op":{"ElemUnary":{"op":"frob"}},"inputs":[0],"outputs":[1]}],"inputs":[0],"outputs":[1,9]}',
    );
    const { code, stdout, stderr } = await einstream(['run', path], '{"x": [1]}\n');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).to.have.length(2);
    for (const line of stderr.trim().split('\n')) expect(line).to.match(/broken\.json: E_\w+ /);
  });

  it('computes the same at every level', async () => {
    const path = files.file(
      'level.json',
      graph({ x: input(['n']) }, ({ x }) => ({ y: relu(mul(sum(x), x)) })),
    );
    const outputs = await Promise.all(
      ['none', 'basic', 'standard'].map((level) => einstream(['run', path, '--level', level], '{"x": [1, -2, 0.3]}')),
    );
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).to.equal(1);
    expect(outputs[0].stdout).to.equal('{"y":[0,1.4,0]}\n');
  });

  it('computes by the backend that is named, and refuses one that it does not know', async () => {
    for (const backend of ['default', 'js', 'wasm']) {
      const answer = await einstream(['run', dot, '--backend', backend], '{"x": [1, 2], "w": [3, 4]}\n');
      expect(answer, backend).to.deep.equal({ code: 0, stdout: '{"y":11}\n', stderr: '' });
    }
    expect(await einstream(['run', dot, '--backend', 'gpu'], '')).to.deep.include({ code: 2, stdout: '' });
  });
});
