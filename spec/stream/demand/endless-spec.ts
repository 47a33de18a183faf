/** @file An endless producer never fills the memory, however slow its consumer is (L3, F2, F023, B03). */
import { expect } from 'chai';
import { runBundled } from '../../support/bundled.js';
import type { Endless } from '../../support/children/endless.js';
import { isLarge, propertyRuns } from '../../support/property.js';

const ITEMS = propertyRuns(2_000, 1_000_000, 10_000_000);

describe('an endless producer of 16 KiB items with a slow consumer', () => {
  it(`stays within its credits and 48 MB over ${ITEMS.toLocaleString('en')} items (L3)`, function () {
    this.timeout(0);
    const text = runBundled('spec/support/children/endless.ts', [], undefined, { args: [String(ITEMS)], timeout: 7_200_000 });
    const seen = JSON.parse(text.trimEnd().split('\n').at(-1)!) as Endless;
    console.log(
      `    ${seen.items.toLocaleString('en')} items in ${seen.seconds.toFixed(1)} s: ${seen.peakInFlight} in flight of ${seen.bound}, +${seen.growth.toFixed(1)} MB; freely ${Math.round(seen.perSecond).toLocaleString('en')} items/s, with a graph ${Math.round(seen.computedPerSecond).toLocaleString('en')} (processor time)`,
    );
    expect(seen.items).to.equal(ITEMS);
    expect(seen.peakInFlight).to.be.within(1, seen.bound);
    expect(seen.growth).to.be.lessThan(48);
    // Short runs measure the compiler of JavaScript.
    if (isLarge()) expect(seen.perSecond).to.be.greaterThan(50_000);
  });
});
