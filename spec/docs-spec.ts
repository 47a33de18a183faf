/** @file Every example of the README and of the docstrings of public exports is executed, and what it says is true. */
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as rxjs from 'rxjs';
import { buildPoolWorker } from './support/builtPool.js';
import { compileExample, examplesIn, runExample } from './support/examples.js';
import { matches, near } from './support/matches.js';
import { projectRoot } from './support/sourceFiles.js';
import { entryNames, surfaceOf } from './support/surface.js';

type Module = Record<string, unknown>;
const entryOf = (name: string) => /^einstream(?:\/(\w+))?$/.exec(name)?.[1] ?? 'index';
const load = (name: string) => import(/^einstream\b/.test(name) ? `../src/${entryOf(name)}.js` : name) as Promise<Module>;
const readme = join(projectRoot, 'README.md');

const scopes = new Map<string, Promise<Module>>();
/** What an entry's examples may use without importing it: RxJS, the core, and the entry itself. */
const scopeOf = (entry: string): Promise<Module> => scopes.get(entry) ?? scopes.set(entry, makeScope(entry)).get(entry)!;

async function makeScope(entry: string): Promise<Module> {
  const core = entryNames().includes('index') ? await load('einstream') : {};
  return { ...rxjs, ...core, ...(entry === 'index' ? {} : await load(`einstream/${entry}`)) };
}

function placesWithExamples(): { readonly place: string; readonly entry: string; readonly code: string }[] {
  const documented = [...surfaceOf(entryNames())].flatMap(([entry, exported]) =>
    exported.map(({ doc, place, name }) => ({ entry, text: doc, place: `${name} (${place})` })),
  );
  const pages = existsSync(readme) ? [{ entry: 'index', text: readFileSync(readme, 'utf8'), place: 'README.md' }] : [];
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  return [...pages, ...documented]
    .flatMap(({ entry, text, place }) =>
      examplesIn(text).map((code, i) => ({ entry, code, place: `${place}, example ${i + 1}` })),
    )
    .filter(({ place }) => isNew(place.replace(/^\w+ /, '')));
}

describe('the documentation', function () {
  this.timeout(60_000); // The first example compiles all that it imports.
  before(buildPoolWorker);
  const examples = placesWithExamples();
  let assertions = 0;
  for (const { place, entry, code } of examples) {
    it(`is right in ${place}`, async () => {
      assertions += await runExample(code, await scopeOf(entry), load);
    });
  }
  after(() => console.log(`    documentation: ${examples.length} examples executed, ${assertions} values asserted`));
});

describe('an example', () => {
  const run = (code: string) => runExample(code, { ...rxjs, add: (a: number, b: number) => a + b }, load);
  const faultOf = (code: string) =>
    run(code).then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );

  it('is found between fences marked ts, in a list too', () => {
    expect(examplesIn('a\n```ts\none();\n```\n```sh\nnpm ci\n```\n  ```ts\n  two();\n  ```\n')).to.deep.equal([
      'one();\n',
      '  two();\n',
    ]);
  });

  it('has its values checked: expressions, constants, promises, streams, logs and errors', async () => {
    const code = `
      import { map as each, type Observable } from 'rxjs';
      const sum: number = add(1, 2); // => 3
      [sum / 9, -sum, 'a 0.5']; // => [0.333, -3, 'a 0.5']
      await Promise.resolve({ a: [1] }); // => { a: [1] }
      of(1, 2).pipe(each((x) => x * 2)); // => [2, 4]
      of(1, 2).subscribe((x) => console.log(x)); // => 1, 2
      timer(1).subscribe(console.log); // => 0
      console.log(sum); // => 3
      throwError(() => new Error('no way')); // => throws no way
      new Float32Array([0.1, 2]); // => [0.1, 2]
    `;
    expect(await run(code)).to.equal(9);
  });

  it('fails when a value is wrong, in the last digit shown too', async () => {
    expect(await faultOf('add(1, 2); // => 4')).to.equal('the example says 4, yet it is 3');
    expect(await faultOf('1 / 3; // => 0.334')).to.match(/says 0.334/);
    expect(await faultOf('[1, 2]; // => [1]')).to.match(/yet it is \[1,2\]/);
    expect(await faultOf('of(1, 2).subscribe(console.log); // => 1, 3')).to.match(/not what was logged/);
    expect(await faultOf('add(1, 2); // => throws E_SHAPE')).to.match(/nothing was thrown, the value is 3/);
  });

  it('fails when it throws, names what does not exist, or says a value where nothing checks it', async () => {
    expect(await faultOf("throw new Error('broken');")).to.equal('broken');
    expect(await faultOf('subtract(1, 2);')).to.match(/subtract is not defined/);
    expect(await faultOf('if (true) {\n  add(1, 2); // => 4\n}')).to.match(
      /1 of 1 "\/\/ =>" stand where nothing would check them/,
    );
    expect(() => compileExample('function f() {} // => 1')).to.throw('nothing would check');
  });

  it('compares numbers to the digits printed, and whole numbers exactly', () => {
    expect(matches(0.88079, near('0.8808'))).to.equal(true);
    expect(matches(0.8809, near('0.8808'))).to.equal(false);
    expect(matches(1.26e-7, near('1.3e-7'))).to.equal(true);
    expect(matches(2.0001, near('2'))).to.equal(false);
    expect(matches(NaN, NaN)).to.equal(true);
    expect(matches({ toArray: () => [[1]] }, [[1]])).to.equal(true);
    expect(matches(Object.assign(Object.create(null), { y: 1 }), { y: 1, z: 2 })).to.equal(false);
  });
});
