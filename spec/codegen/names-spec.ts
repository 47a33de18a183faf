/** @file Malicious texts in every field that holds one: they are names or they are refused, and never code. */
import { expect } from 'chai';
import { js, wasm, type Backend } from '../../src/index.js';
import { MALICIOUS_NAMES } from '../support/maliciousNames.js';
import { NAME_FIELDS } from '../support/nameFields.js';
import { propertyRuns } from '../support/property.js';
import { tryNames } from '../support/tryNames.js';

/** In `npm test` each field meets every third name; the other kinds of kernels are made from the same records, and meet every twelfth. */
const namesFor = (kind: string): readonly string[] => {
  const step = propertyRuns(kind === 'generated' ? 3 : 12, 1, 1);
  return MALICIOUS_NAMES.filter((_, k) => k % step === 0);
};

describe('malicious names (J2)', function () {
  this.timeout(300_000); // at its full size
  const total = { right: 0, refused: 0 };

  it('are at least 200, each another', () => {
    expect(MALICIOUS_NAMES.length).to.be.at.least(200);
    expect(new Set(MALICIOUS_NAMES).size).to.equal(MALICIOUS_NAMES.length);
  });

  const kinds: readonly (readonly [string, () => Backend | Promise<Backend>])[] = [
    ['generated', () => js({ kernels: 'generate' })],
    ['interpreted', () => js({ kernels: 'interpret' })],
    ['as WebAssembly', () => (modules ??= wasm())],
  ];
  let modules: Promise<Backend> | undefined;
  for (const [kind, make] of kinds) {
    for (const [what, field] of NAME_FIELDS) {
      it(`${what} run as they should or are refused, ${kind}`, async () => {
        const { right, refused, wrong } = tryNames(field, await make(), namesFor(kind));
        expect(wrong.slice(0, 5)).to.deep.equal([]);
        expect(right + refused).to.equal(namesFor(kind).length);
        total.right += right;
        total.refused += refused;
      });
    }
  }

  after(() =>
    console.log(
      `    ${MALICIOUS_NAMES.length} names, ${NAME_FIELDS.size} fields, 3 kinds of kernels: ${total.right} ran, ${total.refused} were refused, 0 canaries`,
    ),
  );
});
