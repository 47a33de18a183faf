/** @file The modules that reach the engine, decoded and validated by WABT: an implementation that is neither ours nor V8's. */
import { expect } from 'chai';
import wabt from 'wabt';
import { evaluateSync, exp, graph, input, named, softmax } from '../../../src/index.js';
import { COMPUTED_FAMILIES, computeCase } from '../../oracle/computeCase.js';
import { loadCases } from '../../oracle/corpus.js';
import { MALICIOUS_NAMES } from '../../support/maliciousNames.js';
import { moduleCounter } from '../../support/modulesMade.js';
import { isLarge } from '../../support/property.js';
import { wasmKit } from '../../support/wasmKit.js';
import { onEachWasm } from '../../support/wasmVariants.js';

const modulesMade = moduleCounter();

type Wabt = Awaited<ReturnType<typeof wabt>>;
type Features = NonNullable<Parameters<Wabt['readWasm']>[1]>;

/** Decodes and validates, both with these features: the second call takes them too, which its type leaves out. */
function decoded(tool: Wabt, bytes: Uint8Array, features: Features): ReturnType<Wabt['readWasm']> {
  const module = tool.readWasm(bytes, features);
  (module as { validate: (features: Features) => void }).validate(features);
  return module;
}

/** What WABT takes by default goes beyond what we promise to use, so all of it is named. */
const PROMISED: Features = {
  mutable_globals: false,
  sat_float_to_int: true,
  sign_extension: false,
  simd: true,
  multi_value: false,
  bulk_memory: true,
  reference_types: false,
  threads: false,
  relaxed_simd: false,
};
const RELAXED = /relaxed_madd|relaxed_nmadd/;

/** Every twelfth case of a family in `npm test`. */
const isChosen = (at: number): boolean => isLarge() || at % 12 === 0;

onEachWasm('modules of the corpus', (backend, { isRelaxed, threads }) => {
  it('are valid WebAssembly by an independent decoder, import one memory and scalar functions of the engine, export `run`', async () => {
    const tool = await wabt();
    const seen = new Map<string, Uint8Array>();
    modulesMade((bytes) => seen.set(Buffer.from(bytes).toString('latin1'), bytes.slice()));
    for (const family of COMPUTED_FAMILIES)
      for (const [at, c] of loadCases(family).entries())
        if (isChosen(at) && c.expected.error === undefined)
          computeCase(family, c, backend(), { fallback: 'never', level: at % 2 === 0 ? 'none' : 'standard' });
    let [bytes, relaxed] = [0, 0];
    for (const each of seen.values()) {
      bytes += each.length;
      const module = decoded(tool, each, { ...PROMISED, threads: threads > 1, relaxed_simd: isRelaxed });
      const text = module.toText({});
      module.destroy();
      if (RELAXED.test(text)) relaxed++;
      const imports = [...text.matchAll(/\(import "([^"]*)" "([^"]*)" \((\w+)/g)].map(([, from, name, kind]) => [
        from,
        name,
        kind,
      ]);
      expect(imports[0]).to.deep.equal(['env', 'memory', 'memory']);
      for (const [from, name, kind] of imports.slice(1)) {
        expect([from, kind]).to.deep.equal(['env', 'func']);
        expect(name).to.match(/^(unary|binary|integer)\.[a-z0-9]+$/i);
      }
      const exported = [...text.matchAll(/\(export "([^"]*)"/g)].map(([, name]) => name);
      expect(exported).to.include('run');
      for (const name of exported) expect(name, 'no name of a graph').to.match(/^[a-z][a-zA-Z0-9]*$/);
      expect(text).to.not.match(/\(data|\(start|\(table|\(elem|@custom/);
    }
    console.log(`      ${seen.size} modules, ${bytes} bytes; ${relaxed} of them with relaxed multiply-add`);
    expect(seen.size).to.be.greaterThan(50);
    expect(relaxed > 0, 'relaxed instructions only where they are allowed').to.equal(isRelaxed);
  });
});

describe('the decoder that modules are shown to', () => {
  /** A function of three vectors that multiplies and adds them with one rounding. */
  const relaxed = Uint8Array.from(
    Buffer.from('0061736d0100000001080160037b7b7b017b030201000a0d010b00200020012002fd85020b', 'hex'),
  );
  const takes = async (bytes: Uint8Array, features: Features): Promise<boolean> => {
    try {
      decoded(await wabt(), bytes, features).destroy();
      return true;
    } catch {
      return false;
    }
  };

  it('refuses instructions that are not allowed, types that do not fit, and what is cut off', async () => {
    expect(await takes(relaxed, { ...PROMISED, relaxed_simd: true })).to.equal(true);
    expect(await takes(relaxed, PROMISED)).to.equal(false);
    const wrong = Uint8Array.from(relaxed);
    wrong[14] = 0x7d; // the first parameter a float32
    expect(await takes(wrong, { ...PROMISED, relaxed_simd: true })).to.equal(false);
    expect(await takes(relaxed.subarray(0, -1), { ...PROMISED, relaxed_simd: true })).to.equal(false);
  });
});

describe('the bytes of a module', () => {
  it('are the same whatever the names of a graph: none of them is in there (J2)', () => {
    const { backend } = wasmKit({ cacheSize: 0 });
    const bytesFor = (name: string): readonly string[] => {
      const seen: string[] = [];
      modulesMade((bytes) => seen.push(Buffer.from(bytes).toString('latin1')));
      const declared = Object.fromEntries([[name, input([`${name}.rows`, 3])]]);
      const made = graph(declared, (all) => Object.fromEntries([[`${name}.y`, named(`${name}.h`, softmax(exp(all[name])))]]));
      const outputs = evaluateSync(made, Object.fromEntries([[name, [[0, 1, 2]]]]), { backend, fallback: 'never' });
      expect(Object.keys(outputs)).to.deep.equal([`${name}.y`]);
      return seen;
    };
    const plain = bytesFor('x');
    expect(plain).to.not.have.length(0);
    const names = MALICIOUS_NAMES.filter((name, k) => name !== '' && (isLarge() || k % 20 === 0));
    for (const name of names) expect(bytesFor(name), name.slice(0, 40)).to.deep.equal(plain);
    console.log(`      ${names.length} names, ${plain.length} modules each`);
  });
});
