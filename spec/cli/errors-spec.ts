import { expect } from 'chai';
import * as fc from 'fast-check';
import { add, einsum, graph, input, named, relu } from '../../src/index.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';
import { HOSTILE_NAMES } from '../support/hostileNames.js';
import { propertyRuns, propertySeed } from '../support/property.js';

const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

describe('a bad line of feeds', () => {
  const files = graphFiles();
  const path = files.file(
    'g.json',
    graph({ x: input(['n']), w: input(['n', 'm']) }, ({ x, w }) => ({ scores: relu(einsum('n,nm->m', x, w)) })),
  );
  const good = '{"x": [1, 2], "w": [[1], [2]]}';
  const answer = '{"scores":[5]}';
  after(() => files.remove());

  const BAD: readonly (readonly [title: string, line: string, says: RegExp])[] = [
    ['is no JSON', '{"x": [1, 2}', /^stdin:2:12: E_PARSE /],
    ['is cut short', '{"x": [1, 2], "w": [[1], [2]', /^stdin:2:29: E_PARSE /],
    ['has bytes behind its end', `${good} x`, /^stdin:2:32: E_PARSE /],
    ['is no object', '[1, 2]', /^stdin:2:1: E_PARSE .*expected an object, got an array/],
    ['holds NaN without quotes', '{"x": [NaN, 1], "w": [[1], [2]]}', /^stdin:2:8: E_PARSE /],
    ['gives a name twice (G7)', '{"x": [1], "x": [2]}', /^stdin:2:12: E_PARSE /],
    ['starts with a byte order mark (G7)', `\ufeff${good}`, /^stdin:2:1: E_PARSE .*byte order mark/],
    ['is ragged', '{"x": [1, 2], "w": [[1], [2, 3]]}', /^stdin:2:31: E_PARSE .*all arrays along one axis have one length/],
    ['is too deep', `{"x": ${'['.repeat(80)}`, /^stdin:2:\d+: E_LIMIT /],
    ['holds another string', '{"x": ["one", 2]}', /^stdin:2:8: E_PARSE .*"NaN", "Infinity" or "-Infinity"/],
    ['lacks an input', '{"x": [1, 2]}', /^stdin:2: E_FEED "w" input: every input needs a feed; .*got no "w"/],
    ['has the wrong rank', '{"x": [[1, 2]], "w": [[1], [2]]}', /^stdin:2: E_FEED "x" input: .*rank 1.*rank 2/],
    [
      'has sizes that clash',
      '{"x": [1, 2, 3], "w": [[1], [2]]}',
      /^stdin:2: E_FEED "w" input: "n" must have one size; expected 3 .*got 2/,
    ],
    [
      'has data that do not fill the shape',
      '{"x": {"shape": [3], "data": [1, 2]}}',
      /^stdin:2:7: E_SHAPE data of "x" is flat and fills the shape; expected 3 numbers/,
    ],
    ['has a shape that is none', '{"x": {"shape": [-1], "data": []}}', /^stdin:2: E_SHAPE "x": the size of axis 0/],
    ['has a shape beyond all memory (G4)', '{"x": {"shape": [4000000000, 4000000000], "data": []}}', /^stdin:2: E_LIMIT "x"/],
    [
      'has a dtype that is none',
      '{"x": {"shape": [1], "dtype": "float16", "data": [1]}}',
      /^stdin:2:31: E_DTYPE .*float64, got "float16"/,
    ],
    [
      'has another dtype than declared',
      '{"x": {"shape": [2], "dtype": "float64", "data": [1, 2]}, "w": [[1], [2]]}',
      /^stdin:2: E_FEED "x" input: .*expected float32, got float64/,
    ],
    ['has a key that nobody knows', '{"x": {"shape": [1], "data": [1], "strides": [1]}}', /^stdin:2:46: E_FEED .*got "strides"/],
    ['lacks its data', '{"x": {"shape": [1]}}', /^stdin:2:7: E_FEED the value of "x" needs its shape and data; got no data/],
  ];
  for (const [title, bad, says] of BAD) {
    it(`that ${title} stops the run with exit code 1, behind the outputs before it`, async () => {
      const { code, stdout, stderr } = await einstream(['run', path], `${good}\n${bad}\n${good}\n`);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: `${answer}\n` });
      expect(lines(stderr)).to.have.length(1);
      expect(stderr).to.match(says);
    });
  }

  it('is skipped with --on-error skip: each is told of, the others are answered, and the exit code is 1 at the end', async () => {
    const feeds = BAD.flatMap(([, bad]) => [good, bad]).join('\n');
    const { code, stdout, stderr } = await einstream(['run', path, '--on-error', 'skip'], `${feeds}\n${good}`);
    expect(code).to.equal(1);
    expect(lines(stdout)).to.deep.equal(new Array(BAD.length + 1).fill(answer));
    expect(lines(stderr).map((line) => Number(/^stdin:(\d+):/.exec(line)?.[1]))).to.deep.equal([
      ...BAD.map((_, index) => 2 * index + 2),
      NaN,
    ]);
    expect(lines(stderr).at(-1)).to.equal(`einstream run: ${BAD.length} of ${2 * BAD.length + 1} lines failed`);
  });

  it('of 5e3 in a row costs no stack', async () => {
    const { code, stdout } = await einstream(['run', path, '--on-error', 'skip'], `${'{"x": [1]}\n'.repeat(5e3)}${good}\n`);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: `${answer}\n` });
  });

  it('names the node that fails, its op and its rule', async () => {
    const open = files.file(
      'open.json',
      '{"tensors":["a","b","joined"],"nodes":[{"op":{"Einsum":{"spec":"ij,jk->ik"}},"inputs":[0,1],"outputs":[2]}],"inputs":[0,1],"outputs":[2]}',
    );
    const { stderr } = await einstream(['run', open], '{"a": [[1, 2]], "b": [[1], [2], [3]]}\n');
    expect(stderr).to.match(
      /^stdin:1: E_SHAPE "joined" einsum "ij,jk->ik": index j must have one size; expected j = 2 .*, got j = 3 /,
    );
  });

  it('over --max-line is E_LIMIT, at the limit it is not (G14)', async () => {
    const limit = String(Buffer.byteLength(good));
    expect((await einstream(['run', path, '--max-line', limit], `${good}\n`)).code).to.equal(0);
    const { code, stderr, stdout } = await einstream(
      ['run', path, '--max-line', limit, '--on-error', 'skip'],
      `${good} \n${good}\n`,
    );
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: `${answer}\n` });
    expect(stderr).to.match(
      new RegExp(`^stdin:1: E_LIMIT "stdin": a line has a bounded length; expected at most ${limit} bytes, got more`),
    );
  });

  it('of any bytes is one line of output or one line of error (G7)', async () => {
    const seed = Buffer.from(good);
    const mutants = fc.array(
      fc
        .tuple(
          fc.nat(seed.length - 1),
          fc.integer({ min: 0, max: 255 }).filter((byte) => byte !== 10),
        )
        .map(([at, byte]) => Buffer.from(seed.map((old, i) => (i === at ? byte : old)))),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(mutants, async (bad) => {
        const { code, stdout, stderr } = await einstream(
          ['run', path, '--on-error', 'skip'],
          [Buffer.concat(bad.flatMap((line) => [line, Buffer.from('\n')]))],
        );
        const errors = lines(stderr).filter((line) => /^stdin:\d+(:\d+)?: E_\w+ /.test(line)).length;
        const warnings = lines(stderr).filter((line) => line.includes(': warning: ')).length;
        expect(lines(stdout).length + errors).to.equal(bad.length);
        expect(lines(stderr).length).to.equal(errors + warnings + (errors > 0 ? 1 : 0));
        expect(code).to.equal(errors > 0 ? 1 : 0);
        for (const line of lines(stdout)) JSON.parse(line);
      }),
      { seed: propertySeed(), numRuns: propertyRuns(20, 1000, 20000) },
    );
  });
});

describe('a hostile name (G3) (G15)', () => {
  const files = graphFiles();
  after(() => files.remove());
  const names = [...new Set(HOSTILE_NAMES)].filter((name, k) => name.length < 1000 && k % propertyRuns(4, 1, 1) === 0);

  const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e\u200e\u200f]/;

  it('of an input, an output or a value is an ordinary name, and forges no line of output or error', async () => {
    for (const [index, name] of names.entries()) {
      const g = graph({ [name]: input([1]) }, (symbols) => ({ [name]: named(`${name}!`, add(symbols[name], 1)) }));
      const path = files.file(`hostile-${index}.json`, g);
      const fed = await einstream(['run', path], `{${JSON.stringify(name)}: [1]}\n`);
      expect(fed, JSON.stringify(name)).to.deep.include({ code: 0, stderr: '' });
      expect(lines(fed.stdout)).to.have.length(1);
      expect(Object.entries(JSON.parse(fed.stdout) as object)).to.deep.equal([[name, [2]]]);
      const starved = await einstream(['run', path], '{"other\\u001b[2K\\n": 1}\n');
      expect(starved.code).to.equal(1);
      expect(lines(starved.stderr)).to.have.length(2);
      for (const text of [fed.stdout, starved.stderr]) expect(text).to.not.match(unsafe);
    }
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('of a file forges no line either', async () => {
    const said = await einstream(['run', '\u001b[31mno\nsuch\u009b']);
    expect(said.code).to.equal(2);
    expect(lines(said.stderr)).to.have.length(1);
    expect(said.stderr).to.not.match(unsafe);
  });
});
