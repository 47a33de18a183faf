/** @file The conformance test: js passes, backends that are broken in different ways do not. */
import { expect } from 'chai';
import { js, type Backend } from '../../src/backends/index.js';
import { EinstreamError } from '../../src/errors/index.js';
import { evaluateSync } from '../../src/run/index.js';
import { describeBackend } from '../../src/testing/describe-backend.js';
import { nullBackend } from '../../src/testing/null-backend.js';
import { randomCase } from '../../src/testing/conformance/random.js';
import { reference } from '../../src/testing/conformance/reference.js';
import { propertyRuns } from '../support/property.js';

const SUITES = [
  'unary',
  'binary',
  'ternary',
  'reduce',
  'einsum',
  'forward',
  'edge cases',
  'shapes',
  'large',
  'memory',
  'capabilities',
];

/** Titles of the checks that a backend fails. */
async function failures(make: () => Backend, among = /./): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { title, check } of describeBackend(make)) {
    if (!among.test(title)) continue;
    await check().catch((error: unknown) => {
      expect(error, title).to.be.instanceOf(EinstreamError);
      failed.push(title);
    });
  }
  return failed;
}

for (const [name, make] of [
  ['js', js],
  ...(propertyRuns(0, 1, 1) === 1 ? [['js, interpreted', () => js({ kernels: 'interpret' })] as const] : []),
] as const) {
  describe(`the conformance test of ${name} (F003, F136)`, function () {
    this.timeout(30_000);
    // A short run takes every fifth: the specs of kernels and ops say the same of js.
    for (const [at, { title, check }] of describeBackend(make).entries()) if (at % propertyRuns(5, 1, 1) === 0) it(title, check);
  });
}

describe('describeBackend (F136)', function () {
  this.timeout(30_000);

  it('has all suites, and titles that differ', () => {
    const titles = describeBackend(js).map(({ title }) => title);
    expect([...new Set(titles.map((title) => title.split(':')[0]))]).to.deep.equal(SUITES);
    expect(new Set(titles).size).to.equal(titles.length);
    expect(describeBackend('mine', js)[0].title).to.match(/^mine · unary: /);
  });

  it('finds a backend that loses the last element of every loop', async () => {
    const broken = (): Backend => {
      const backend = js();
      return {
        ...backend,
        compile(ir) {
          const kernel = backend.compile(ir);
          return {
            ...kernel,
            run(inputs, outputs) {
              const [{ buffer }] = outputs;
              const last = buffer.array.at(-1);
              void kernel.run(inputs, outputs);
              if (buffer.array.length > 1) buffer.array[buffer.array.length - 1] = last as never;
            },
          };
        },
      };
    };
    const found = await failures(
      broken,
      propertyRuns(0, 1, 1) === 1 ? /./ : /^(unary: exp|binary: add|reduce: (max|sum) |einsum|forward|edge|shapes|large)/,
    );
    for (const suite of ['unary', 'binary', 'reduce', 'einsum', 'forward', 'edge cases', 'shapes', 'large']) {
      expect(
        found.some((title) => title.startsWith(suite)),
        suite,
      ).to.equal(true);
    }
  });

  it('finds a backend that takes a maximum for a sum', async () => {
    const broken = (): Backend => {
      const backend = js();
      return {
        ...backend,
        compile: (ir) =>
          backend.compile(
            ir.kind === 'nest'
              ? { ...ir, folds: ir.folds.map((fold) => ({ ...fold, monoid: fold.monoid === 'max' ? 'sum' : fold.monoid })) }
              : ir,
          ),
      };
    };
    const found = await failures(broken, propertyRuns(0, 1, 1) === 1 ? /^(unary|reduce)/ : /^(unary: e|reduce: m)/);
    expect(found).to.include('reduce: max is what its definition says, over any axes and for every dtype');
    expect(found.every((title) => title.startsWith('reduce'))).to.equal(true);
  });

  it('finds a backend that computes nothing', async () => {
    const found = await failures(nullBackend, /^(unary|einsum|large)/);
    expect(found.length).to.be.greaterThan(40);
  });

  it('finds a backend that writes to its feeds', async () => {
    const broken = (): Backend => {
      const backend = js();
      return {
        ...backend,
        compile(ir) {
          const kernel = backend.compile(ir);
          return {
            ...kernel,
            run(inputs, outputs) {
              void kernel.run(inputs, outputs);
              if (inputs.length > 0) inputs[0].buffer.array[0] = 5;
            },
          };
        },
      };
    };
    expect(await failures(broken, /^memory/)).to.include(
      'memory: feeds are never written to, and outputs are not touched by later frames',
    );
  });

  it('finds a backend that claims what it cannot do, and takes an honest no for an answer', async () => {
    const broken = (): Backend => {
      const backend = js();
      return { ...backend, capabilities: { ...backend.capabilities, dtypes: ['float32'] } };
    };
    // Honest: what it does not claim must be refused, and it is, by the engine itself.
    expect(await failures(broken, /^capabilities/)).to.deep.equal([]);
    const refusing = (): Backend => {
      const backend = js();
      return {
        ...backend,
        compile(ir) {
          if (ir.output.dtype === 'float64') throw new Error('no float64 here');
          return backend.compile(ir);
        },
      };
    };
    expect(await failures(refusing, /^capabilities: an op/)).to.have.length(1);
  });

  it('refuses options that are none', () => {
    expect(() => describeBackend(undefined as never)).to.throw(EinstreamError, /make is a function/);
    expect(() => describeBackend(js, { tolerance: -1 })).to.throw(EinstreamError, /≥ 0/);
    expect(() => describeBackend(js, { seed: NaN })).to.throw(EinstreamError, /≥ 0/);
  });

  it('draws graphs by the seed alone, and they are different ones', () => {
    const texts = [1, 2, 3, 4].map((seed) => JSON.stringify(randomCase(seed, 8).graph.chunks));
    expect(new Set(texts).size).to.equal(4);
    expect(JSON.stringify(randomCase(3, 8).graph.chunks)).to.equal(texts[2]);
    const { graph, feeds } = randomCase(3, 8);
    expect(Object.keys(evaluateSync(graph, feeds))).to.deep.equal([...reference(graph, feeds).keys()]);
  });
});
