/** @file The public surface: changed on purpose only, and documented throughout. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import {
  entryNames,
  listOf,
  surfaceChanges,
  surfaceOf,
  undocumented,
  withoutExample,
  type SurfaceList,
} from './support/surface.js';

const committed = JSON.parse(readFileSync(new URL('./support/surface.json', import.meta.url), 'utf8')) as SurfaceList;

describe('the public surface', function () {
  this.timeout(30_000);
  let surface: ReturnType<typeof surfaceOf>;
  before(() => {
    surface = surfaceOf(entryNames());
    for (const [entry, exported] of surface) console.log(`  ${entry}: ${exported.length} exports`);
  });

  it('is the committed one; after a wanted change, `npm run surface` writes the list', () => {
    expect(surfaceChanges(committed, listOf(surface)), 'names that came (+) or went (-)').to.deep.equal([]);
  });

  it('is documented, each name of it', () => {
    const missing = [...surface].flatMap(([entry, exported]) => undocumented(exported).map((name) => `${entry}: ${name}`));
    expect(missing, 'exports without a docstring').to.deep.equal([]);
  });

  it('shows an example of each value, save of the symbol by which interpreters are found', () => {
    const missing = [...surface].flatMap(([, exported]) => withoutExample(exported));
    expect(missing.map((text) => text.replace(/ \(.*/, ''))).to.deep.equal(['INTERPRETER']);
  });
});

describe('the check of the surface', function () {
  this.timeout(30_000);
  const files = new Map([
    ['src/probe.ts', "export { fine, bare, type Shape, Both } from './probeParts.js';"],
    [
      'src/probeParts.ts',
      '/** Says what it does. */\nexport const fine = () => 1;\nexport function bare() {}\n/** A list of sizes. */\nexport type Shape = number[];\n/** An error of ours. */\nexport class Both {}',
    ],
  ]);

  it('sees values and types through a re-export, and what has no comment', () => {
    const surface = surfaceOf(['probe'], files);
    expect(listOf(surface)).to.deep.equal({ probe: { values: ['Both', 'bare', 'fine'], types: ['Shape'] } });
    expect(undocumented(surface.get('probe')!)).to.deep.equal(['bare (src/probeParts.ts:3)']);
    expect(withoutExample(surface.get('probe')!)).to.have.length(3);
  });

  it('names what came and what went', () => {
    const before = { index: { values: ['a', 'b'], types: ['T'] } };
    expect(surfaceChanges(before, { index: { values: ['a', 'c'], types: ['T'] } })).to.deep.equal(['+ index: c', '- index: b']);
    expect(surfaceChanges(before, before)).to.deep.equal([]);
  });
});
