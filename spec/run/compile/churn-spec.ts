/** @file Many shapes, few programs: what caches hold is bounded, and what leaves them is freed (J6, L9). */
import { expect } from 'chai';
import { compile, evaluateSync, exp, graph, input, js, neg, sum, tensor, type Backend, type Graph } from '../../../src/index.js';
import { preparedFor } from '../../../src/run/run.js';
import { readSettings } from '../../../src/run/options.js';
import { wasmKit } from '../../support/wasmKit.js';
import { propertyRuns } from '../../support/property.js';

const SHAPES = propertyRuns(200, 10_000, 100_000);
const CAP = 64;
const model = graph({ x: input(['n', 'm']) }, ({ x }) => ({ y: sum(neg(exp(x)), { axis: 1 }) })) as Graph;

/** Kernels that were made and not disposed of, now and at most. */
function alive(inner: Backend) {
  let [now, most] = [0, 0];
  const backend: Backend = {
    ...inner,
    compile(ir) {
      const kernel = inner.compile(ir);
      most = Math.max(most, ++now);
      return {
        run: kernel.run.bind(kernel),
        dispose() {
          now--;
          kernel.dispose();
        },
      };
    },
  };
  return { backend, now: () => now, most: () => most };
}

const KINDS: readonly (readonly [string, () => { readonly backend: Backend; readonly used: () => number }])[] = [
  ['js', () => ({ backend: js(), used: () => 0 })],
  [
    'wasm',
    () => {
      const { backend, memory } = wasmKit({ limit: 2 ** 24 });
      return { backend, used: () => memory.used() };
    },
  ],
];

/** All shapes differ, and grow. */
function shapeAt(at: number): readonly [number, number] {
  const [a, b] = [1 + (at % 97), 1 + Math.floor(at / 97)];
  return at >= SHAPES / 2 ? [b, a] : [a, b];
}

/** Elements of the shapes whose programs are there when so many were run. */
const heldAt = (count: number): number =>
  Array.from({ length: Math.min(CAP, count) }, (_, k) => shapeAt(count - 1 - k)).reduce((sum, [a, b]) => sum + a * b, 0);

for (const [name, make] of KINDS) {
  describe(`${SHAPES} distinct shapes on ${name}`, function () {
    this.timeout(0);

    it(`hold ${CAP} programs at most; the kernels of the others are disposed of (J6)`, () => {
      const { backend: inner, used } = make();
      const { backend, now, most } = alive(inner);
      const compiled = compile(model, { backend });
      const perProgram = compiled.schedule.flat().length;
      let early = 0;
      for (let at = 0; at < SHAPES; at++) {
        const shape = shapeAt(at);
        const want = -shape[1];
        const { y } = evaluateSync(compiled, { x: tensor(new Float32Array(shape[0] * shape[1]), { shape }) });
        if (at % 100 === 0) expect(y.data[0]).to.equal(want);
        if (at === Math.floor(SHAPES / 2)) early = used();
      }
      expect(preparedFor(compiled, {}, readSettings({}), false).programs.size()).to.equal(CAP);
      expect(most()).to.be.at.most((CAP + 1) * perProgram);
      expect(now()).to.equal(CAP * perProgram);
      const growth = heldAt(SHAPES) / heldAt(Math.floor(SHAPES / 2) + 1);
      expect(used(), 'bytes of the backend').to.be.at.most(1.25 * growth * early + 2 ** 20);
    });
  });
}
