/** @file Who computes where WebAssembly, its vectors, its memory or permission to use it are missing, in processes of their own. */
import { expect } from 'chai';
import { isLarge } from '../support/property.js';
import { runBundled } from '../support/bundled.js';

interface Told {
  readonly asked: string;
  readonly remarks: readonly string[];
  readonly environment: Readonly<Record<'wasm' | 'simd' | 'codeGeneration', boolean>>;
  readonly computing: readonly string[];
  readonly told: readonly string[];
  readonly right: boolean;
  readonly eager: boolean;
  readonly named: string;
}

const without = (missing: string, flags: readonly string[] = []): Told =>
  JSON.parse(runBundled('spec/support/children/defaultBackend.ts', [`--title=${missing}`, ...flags])) as Told;

describe('a run that names no backend, on an engine', function () {
  this.timeout(60_000);
  const onJs = ['js', 'js', 'js', 'js'];
  const onWasm = ['wasm', 'wasm', 'wasm', 'wasm'];
  const onBoth = ['js', 'wasm', 'js', 'wasm'];

  it('that forbids WebAssembly, though it would validate modules, computes with js; wasm() says what to allow (J5, X5)', () => {
    const { environment, ...rest } = without('permission');
    expect(environment).to.include({ wasm: false, simd: false, codeGeneration: true });
    expect(rest).to.deep.include({ asked: 'js', computing: onJs, told: [], right: true, eager: true, named: 'E_BACKEND' });
  });

  if (isLarge()) {
    it('without WebAssembly, or without its vectors, computes with js (X5)', () => {
      for (const [missing, wasm] of [
        ['wasm', false],
        ['simd', true],
      ] as const) {
        const { environment, ...rest } = without(missing);
        expect(environment, missing).to.include({ wasm, simd: false });
        expect(rest).to.deep.include({ asked: 'js', computing: onJs, told: [], right: true, eager: true, named: 'E_BACKEND' });
      }
    });

    it('that has no memory for wasm computes with js, and says so once', () => {
      const { told, ...rest } = without('memory');
      expect(rest).to.deep.include({ asked: 'default', computing: onJs, right: true, eager: true, named: 'E_OOM' });
      expect(told).to.have.length(2);
      for (const each of told) expect(each).to.match(/^W_FALLBACK .* js computes/);
    });

    it('that forbids code from text has wasm all the same, and sooner, as js interprets (J5)', () => {
      const { remarks, environment, ...rest } = without('nothing', ['--disallow-code-generation-from-strings']);
      expect(environment).to.include({ wasm: true, simd: true, codeGeneration: false });
      expect(rest).to.deep.include({ asked: 'default', computing: onWasm, told: [], right: true, eager: true, named: 'made' });
      expect(remarks.join()).to.match(/wasm computes.*interpreted/);
    });

    it('that has everything computes with both', () => {
      expect(without('nothing')).to.deep.include({ asked: 'default', computing: onBoth, told: [], right: true });
    });
  }
});
