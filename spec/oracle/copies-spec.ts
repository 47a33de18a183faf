import { expect } from 'chai';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const copies = new URL('./cases/', import.meta.url);
// Where the originals lie beside the checkout: <root>/../shared/oracle.
const originals = new URL('../../../shared/oracle/', import.meta.url);

describe('the copies of the oracle corpus', () => {
  it('are the originals, byte for byte', function () {
    if (!existsSync(originals)) {
      console.log('      skipped: no ../shared/oracle beside this checkout to compare with');
      return this.skip();
    }
    const names = readdirSync(originals).sort();
    expect(names).to.include('view.json');
    expect(readdirSync(copies).sort()).to.deep.equal(names);
    for (const name of names) {
      expect(readFileSync(new URL(name, copies)).equals(readFileSync(new URL(name, originals))), name).to.equal(true);
    }
  });
});
