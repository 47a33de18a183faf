/**
 * @file A visitor of the live stream: goes from backend to backend, pauses, changes the signal, closes.
 */
import { expect } from 'chai';
import { BLOCKED, PATIENCE, type Opened, type Site } from './opened.js';

/** Frames that are waited for on each backend. */
const FRAMES = 20;

/** float32 in another order of adding: a score is a quotient of small differences of prices. */
const TOLERANCE = 1e-4;

const isGpu = (backend: string): boolean => backend.startsWith('webg');

export const visitStream = (siteOf: () => Site): void => {
  describe('with a live stream', () => {
    let opened: Opened;
    before(async () => {
      opened = await siteOf().open('stream');
      await opened.page.waitForSelector('[data-at="backends"] input', PATIENCE);
    });
    after(() => opened?.close());

    const answersBeyond = (count: number) =>
      opened.page.waitForFunction(
        `Number(document.querySelector('[data-at="out"]').textContent.replaceAll(',', '')) > ${count}`,
        undefined,
        PATIENCE,
      );
    for (const [turn, backend] of ['js', 'wasm', 'threads', 'webgl2', 'webgpu', 'js'].entries()) {
      it(`goes on ${turn === 0 ? 'with' : 'to'} ${backend}: no frame lost, the same numbers, and no GPU where none is used`, async () => {
        const { page, at, numberAt, says, files } = opened;
        const radio = page.locator(`input[name="backend"][value="${backend}"]`);
        expect(await radio.isEnabled(), 'it can be chosen').to.equal(true);
        await radio.check({ force: true });
        await says(`${await radio.locator('..').innerText()}: `);
        if (backend === 'threads') expect(await at('status')).to.match(/: [2-4] threads compute/);
        if (isGpu(backend)) expect(await at('status')).to.match(new RegExp(`mode ${backend}`));
        await answersBeyond((await numberAt('out')) + FRAMES);

        expect(await at('gaps')).to.equal('0');
        expect(await numberAt('under-way')).to.be.within(0, 4);
        expect(await numberAt('rate')).to.be.greaterThan(0);
        for (const name of ['p50', 'p95']) expect(await at(name), name).to.match(/^[\d.,]+$/);
        const [digits, power = '0'] = (await at('difference')).split(' · 10');
        const sign = (mark: string): string => '0123456789-'['⁰¹²³⁴⁵⁶⁷⁸⁹⁻'.indexOf(mark)] ?? mark;
        const difference = Number(`${digits}e${[...power].map(sign).join('')}`);
        if (backend === 'js') expect(difference).to.equal(0);
        else expect(difference).to.be.within(0, TOLERANCE);

        expect(
          files.some((file) => file.startsWith('gpu')),
          'gpu.js is loaded',
        ).to.equal(turn >= 3);
        if (!isGpu(backend)) expect(await numberAt('handles')).to.equal(0);
        else expect(await at('gpu')).to.match(/[1-9]\d* kernels; [\d,]+ launches, [1-9][\d,]* readbacks/);
        console.log(`      ${backend}: difference ${await at('difference')}, ${await at('rate')} frames/s, median ${await at('p50')} ms`); // prettier-ignore
      });
    }

    it('answers every frame: when it pauses, as many came out as went in', async () => {
      const { page, at, numberAt } = opened;
      await page.click('[data-at="pause"]');
      expect(await at('pause')).to.equal('Resume');
      await page.waitForFunction(`document.querySelector('[data-at="under-way"]').textContent === '0'`, undefined, PATIENCE);
      await page.waitForTimeout(600); // two readings of the meter
      const count = await numberAt('in');
      expect(count).to.be.greaterThan(6 * FRAMES);
      expect(await numberAt('out')).to.equal(count);
      expect(await at('gaps')).to.equal('0');
      await page.click('[data-at="pause"]');
      await answersBeyond(count);
    });

    it(`runs other signals, the pointer too, and never blocks the main thread for ${BLOCKED} ms`, async () => {
      const { page, at, numberAt, longestTask } = opened;
      await longestTask();
      for (const [value, title] of [
        ['synthetic', /made-up/],
        ['pointer', /pointer/],
      ] as const) {
        await page.locator(`input[name="signal"][value="${value}"]`).check({ force: true });
        for (let k = 0; k < 10; k++) await page.mouse.move(400, 100 + 50 * (k % 2), { steps: 2 });
        await answersBeyond((await numberAt('out')) + FRAMES);
        expect(await at('signal-title')).to.match(title);
      }
      expect(await at('gaps')).to.equal('0');
      const longest = await longestTask();
      console.log(`      longest task: ${longest} ms`);
      expect(longest).to.be.below(BLOCKED);
    });

    it('leaves nothing behind when it is closed on a GPU, and opens again', async () => {
      const { page, at, numberAt, says } = opened;
      await page.locator('input[name="backend"][value="webgl2"]').check({ force: true });
      await says('WebGL2: ');
      await answersBeyond((await numberAt('out')) + FRAMES);
      await page.click('[data-at="toggle"]');
      await says('The stream is closed. 0 live GPU handles.');
      expect(await at('subscriptions')).to.equal('0');
      const count = await at('out');
      await page.waitForTimeout(600);
      expect(await at('handles')).to.equal('0');
      expect(await at('gpu')).to.match(/^0 KiB, 0 kernels/);
      expect(await at('out')).to.equal(count);
      await page.click('[data-at="toggle"]');
      await says('WebGL2: ');
      await page.waitForFunction(`document.querySelector('[data-at="subscriptions"]').textContent !== '0'`);
    });

    it('leaves nothing behind when the visitor leaves the page', async () => {
      await opened.page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`);
      await opened.says('The stream is closed. 0 live GPU handles.');
      expect(await opened.at('subscriptions')).to.equal('0');
    });

    it('stands still for whoever asked for less motion, until it is told to go on', async () => {
      const { page, at, numberAt } = opened;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.reload();
      await answersBeyond(0);
      await page.waitForTimeout(600);
      expect(await at('pause')).to.equal('Resume');
      expect(await numberAt('out')).to.equal(1);
      await page.click('[data-at="pause"]');
      await answersBeyond(FRAMES);
    });

    it('fits on a narrow phone', async () => {
      const { page } = opened;
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
    });

    it('logged no error', () => {
      expect(opened.faults).to.deep.equal([]);
    });
  });
};
