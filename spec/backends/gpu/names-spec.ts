/**
 * @file Malicious texts in every field that holds one, with kernels by gpu.js: its mode `cpu` pastes what it is given into code.
 */
import { expect } from 'chai';
import type { Backend } from '../../../src/index.js';
import { gpu } from '../../../src/gpu.js';
import { MALICIOUS_NAMES } from '../../support/maliciousNames.js';
import { NAME_FIELDS } from '../../support/nameFields.js';
import { propertyRuns } from '../../support/property.js';
import { tryNames } from '../../support/tryNames.js';

describe('malicious names, with kernels by gpu.js (J2)', function () {
  this.timeout(300_000);
  // Kernels come from the same records as those of js, which meet every name.
  const names = MALICIOUS_NAMES.filter((_, k) => k % propertyRuns(60, 1, 1) === 0);
  let backend: Backend;
  let [right, refused] = [0, 0];
  before(async () => {
    backend = await gpu({ mode: 'cpu' });
  });
  after(async () => {
    await backend.close();
    console.log(`    ${names.length} names, ${NAME_FIELDS.size} fields: ${right} ran, ${refused} were refused, 0 canaries`);
  });

  for (const [what, field] of NAME_FIELDS) {
    it(`${what} run as they should or are refused`, () => {
      const verdict = tryNames(field, backend, names);
      expect(verdict.wrong.slice(0, 5)).to.deep.equal([]);
      expect(verdict.right + verdict.refused).to.equal(names.length);
      right += verdict.right;
      refused += verdict.refused;
    });
  }
});
