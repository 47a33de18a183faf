/**
 * @file A visitor who draws digits: waits for the model to learn, draws, says what it was, and sees that it helped.
 */
import { expect } from 'chai';
import { LESSON } from '../../../demos/page/digits/batches.js';
import { BLOCKED, PATIENCE, type Opened, type Site } from './opened.js';

/** Strokes of a pointer, as parts of the pad: a one with a flag and a foot, of which the data has few. */
const ONE = [
  [[0.33, 0.38], [0.52, 0.2], [0.5, 0.8]],
  [[0.33, 0.8], [0.68, 0.79]],
]; // prettier-ignore

export const visitDigits = (siteOf: () => Site): void => {
  describe('with digits to draw', () => {
    let opened: Opened;
    before(async () => {
      opened = await siteOf().open('digits');
    });
    after(() => opened?.close());

    const shares = async (): Promise<readonly number[]> =>
      (await opened.page.locator('.bars .share').allInnerTexts()).map((words) => Number.parseFloat(words));

    /** Draws by mouse, and waits until the model has seen it. */
    async function draw(strokes: readonly (readonly (readonly number[])[])[]): Promise<void> {
      const { page } = opened;
      const { x: left, y: top, width, height } = (await page.locator('[data-at="pad"]').boundingBox())!;
      for (const stroke of strokes) {
        for (const [k, [x, y]] of stroke.entries()) {
          await page.mouse.move(left + x * width, top + y * height, { steps: 4 });
          if (k === 0) await page.mouse.down();
        }
        await page.mouse.up();
      }
      await page.waitForFunction(`document.querySelector('[data-at="guess"]').textContent !== ''`, undefined, PATIENCE);
    }

    it('learns handwriting from scratch, and reads most digits that it never saw', async () => {
      const { says, numberAt, at } = opened;
      expect(await opened.page.locator('.labels:disabled').count(), 'nothing can be taught yet').to.equal(1);
      await says('Ready');
      expect(await numberAt('steps')).to.be.greaterThan(300);
      expect(await numberAt('loss')).to.be.below(1.2);
      expect(Number.parseFloat(await at('accuracy'))).to.be.greaterThan(80);
    });

    it('says what is drawn, and that nothing is', async () => {
      const { page } = opened;
      await opened.longestTask();
      expect(await shares()).to.deep.equal(Array(10).fill(NaN));
      await draw(ONE);
      expect((await shares()).reduce((sum, share) => sum + share)).to.be.closeTo(100, 1);
      const seen = await page.locator('[data-at="seen"]').evaluate((canvas) => {
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 28, 28);
        return data.filter((alpha, k) => k % 4 === 3 && alpha > 128).length;
      });
      expect(seen, 'inked pixels').to.be.within(30, 200);
      await page.click('[data-at="clear"]');
      await page.waitForFunction(`document.querySelector('[data-at="guess"]').textContent === ''`, undefined, PATIENCE);
      expect(await shares()).to.deep.equal(Array(10).fill(NaN));
    });

    it('learns from what it is told: that digit is likelier, and the others are not forgotten', async () => {
      const { page, at, says } = opened;
      await draw(ONE);
      const before = (await shares())[1];
      const steps = await opened.numberAt('steps');
      await page.locator('.labels button', { hasText: '1' }).click();
      await page.locator('.lessons li').waitFor(PATIENCE);
      await says('Ready');
      expect(await opened.numberAt('steps')).to.equal(steps + LESSON);
      await page.waitForFunction(
        `Number.parseFloat(document.querySelectorAll('.bars .share')[1].textContent) > ${before}`,
        undefined,
        PATIENCE,
      );
      const [told, after] = (await page.locator('.lessons .change').innerText()).split('→').map(Number.parseFloat);
      expect(told).to.equal(before);
      expect(after - told).to.be.greaterThan(20);
      const [now, then] = [Number.parseFloat(await at('accuracy')), Number.parseFloat(await at('before'))];
      expect(now).to.be.greaterThan(then - 6);
      console.log(`      a one: ${told} % → ${after} %; held-out digits: ${then} % → ${now} %`);
    });

    it('can be used with keys alone: an example is shown, and a key on the pad says what it is', async () => {
      const { page } = opened;
      await page.locator('[data-at="clear"]').press('Enter');
      await page.locator('[data-at="example"]').press('Enter');
      await page.waitForFunction(`document.querySelector('[data-at="guess"]').textContent !== ''`, undefined, PATIENCE);
      await page.locator('[data-at="pad"]').press('5');
      await page.locator('.lessons li').nth(1).waitFor(PATIENCE);
      expect(await page.locator('.lessons li').first().innerText()).to.match(/^This is a 5/);
    });

    it(`never blocked the main thread for ${BLOCKED} ms since it was ready`, async () => {
      const longest = await opened.longestTask();
      console.log(`      longest task: ${longest} ms`);
      expect(longest).to.be.below(BLOCKED);
    });

    it('fits on a narrow phone', async () => {
      const { page } = opened;
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
    });

    it('stops when the visitor goes to the other demo, and logged no error', async () => {
      const { page } = opened;
      await page.click('nav a[href="#stream"]');
      await page.waitForSelector('[data-at="backends"] input', PATIENCE);
      expect(await page.locator('.pad').count()).to.equal(0);
      expect(opened.faults).to.deep.equal([]);
    });
  });
};
