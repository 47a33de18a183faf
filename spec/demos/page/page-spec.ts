/**
 * @file The page of demos in a real browser: built, opened, and used as a visitor would.
 *
 * Without a `chromium` on the PATH it is skipped, and says so; with `EINSTREAM_BROWSER=required` that is a failure.
 */
import { findChromium } from '../../browser/chromium.js';
import { isLarge } from '../../support/property.js';
import { openSite, type Site } from './opened.js';
import { visitDigits } from './visitDigits.js';
import { visitStream } from './visitStream.js';

const path = findChromium();
const isRequired = process.env['EINSTREAM_BROWSER'] === 'required';

if (isLarge()) {
  describe('the page of demos', function () {
    this.timeout(600_000);

    if (path === undefined) {
      it('is opened in chromium: there is none on the PATH', function () {
        if (isRequired) throw new Error('EINSTREAM_BROWSER=required, so chromium must be there: install it');
        this.skip();
      });
      return;
    }

    let site: Site;
    before(async () => {
      site = await openSite(path);
    });
    after(() => site?.close());

    visitStream(() => site);
    visitDigits(() => site);
  });
}
