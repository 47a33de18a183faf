/** @file Drawings become what the model knows, learning takes turns with the page, and steps become a course and lessons. */
import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { DIGITS } from '../../../demos/page/build/recordings.js';
import { course, courseSteps, LESSON, lesson } from '../../../demos/page/digits/batches.js';
import { greatest, progressOf } from '../../../demos/page/digits/classroom.js';
import { imagesOf, moved, oneHot, PIXELS, SIDE, type Labelled } from '../../../demos/page/digits/images.js';
import { running } from '../../../demos/page/digits/losses.js';
import { firstParams } from '../../../demos/page/digits/model.js';
import { centred, placed } from '../../../demos/page/digits/normalize.js';
import { paced } from '../../../demos/page/digits/paced.js';
import { random } from '../../../demos/page/stream/signals.js';

const pixel = (row: number, column: number): Float32Array => {
  const image = new Float32Array(PIXELS);
  image[row * SIDE + column] = 1;
  return image;
};

describe('a drawing', () => {
  it('is put into the middle, 20 pixels large with its line, wherever and however large it was drawn', () => {
    for (const [x, y, size] of [
      [0.1, 0.2, 0.4],
      [0.5, 0.3, 0.5],
    ]) {
      const { scale, left, top } = placed([[{ x, y }, { x: x + size / 2, y: y + size }]]); // prettier-ignore
      expect(scale * size).to.be.closeTo(17.8, 1e-9);
      expect(left + scale * (x + size / 4)).to.be.closeTo(SIDE / 2, 1e-9);
      expect(top + scale * (y + size / 2)).to.be.closeTo(SIDE / 2, 1e-9);
    }
  });

  it('that is a dot is not blown up', () => {
    expect(placed([[{ x: 0.5, y: 0.5 }]]).scale).to.be.closeTo(17.8 / 0.2, 1e-9);
  });

  it('has its centre of mass in the middle; paper alone stays as it is', () => {
    expect(centred(pixel(2, 20)).indexOf(1)).to.be.oneOf([13, 14].flatMap((row) => [row * SIDE + 13, row * SIDE + 14]));
    expect(centred(new Float32Array(PIXELS))).to.deep.equal(new Float32Array(PIXELS));
  });
});

describe('images', () => {
  it('are moved by whole pixels, and lose what leaves them', () => {
    expect(moved(pixel(5, 6), 2, -1)).to.deep.equal(pixel(4, 8));
    expect(moved(pixel(0, 0), 0, -1)).to.deep.equal(new Float32Array(PIXELS));
  });

  it('are read from bytes, digit by digit, those to learn from first', () => {
    const perDigit = DIGITS.learned + DIGITS.heldOut;
    const bytes = new Uint8Array(10 * perDigit * PIXELS);
    bytes[(3 * perDigit + DIGITS.learned) * PIXELS] = 255;
    const { learned, heldOut } = imagesOf(bytes);
    expect([learned.length, heldOut.length]).to.deep.equal([10 * DIGITS.learned, 10 * DIGITS.heldOut]);
    const inked = [...learned, ...heldOut].filter(({ image }) => image[0] === 1);
    expect(inked).to.deep.equal([heldOut[3 * DIGITS.heldOut]]);
    expect(inked[0].label).to.equal(3);
  });

  it('have one-hot rows, and the greatest probability is the guess', () => {
    const { data } = oneHot([3, 0]);
    expect([greatest(data.subarray(0, 10) as Float32Array), greatest(data.subarray(10) as Float32Array)]).to.deep.equal([3, 0]);
  });
});

describe('what is learned from', () => {
  const images = Array.from({ length: 100 }, (_, k): Labelled => ({ image: pixel(14, 14), label: k % 10 }));

  it('is in a course every image as often as it has rounds, as far as they fill batches', () => {
    const batches = [...course(images, 3, random(1))];
    expect(batches).to.have.length(courseSteps(images.length, 3)).and.length(6);
    for (const { x, t } of batches) expect([x.shape, t.shape]).to.deep.equal([[40, PIXELS], [40, 10]]); // prettier-ignore
  });

  it('is in a lesson the visitor’s newest, any of the visitor’s, and what was learned before', () => {
    const taught = [7, 4].map((label): Labelled => ({ image: pixel(14, 14), label }));
    const batches = [...lesson(taught, [{ image: pixel(14, 14), label: 1 }], random(1))];
    expect(batches).to.have.length(LESSON);
    for (const { t } of batches) {
      const counts = Array.from({ length: 10 }, (_, digit) => t.data.filter((mark, k) => mark === 1 && k % 10 === digit).length);
      expect(counts[4] + counts[7]).to.equal(2);
      expect(counts[4]).to.be.at.least(1);
      expect(counts[1]).to.equal(38);
    }
  });
});

describe('paced work', () => {
  /** Each item takes 3 ms. */
  const turns = (count: number, budget: number) => {
    const scheduler = new VirtualTimeScheduler();
    let time = 0;
    const seen: number[] = [];
    let isDone = false;
    const items = Array.from({ length: count }, (_, k) => k);
    const subscription = paced(items, budget, scheduler, () => time).subscribe({
      next(item) {
        seen.push(item);
        time += 3;
      },
      complete: () => (isDone = true),
    });
    return { seen, scheduler, subscription, isDone: () => isDone };
  };
  const flushOnce = (scheduler: VirtualTimeScheduler): void => {
    const action = scheduler.actions.shift()!;
    action.execute(action.state, action.delay);
  };

  it('is as much in a turn as the budget holds, and one item at least', () => {
    for (const [budget, first] of [
      [7, [0, 1, 2]],
      [0, [0]],
    ] as const) {
      const { seen, scheduler } = turns(5, budget);
      expect(seen).to.deep.equal([]);
      flushOnce(scheduler);
      expect(seen).to.deep.equal(first);
    }
  });

  it('ends with its items, and stops when it is unsubscribed from', () => {
    const done = turns(5, 7);
    done.scheduler.flush();
    expect(done.seen).to.deep.equal([0, 1, 2, 3, 4]);
    expect(done.isDone()).to.equal(true);
    const stopped = turns(5, 7);
    flushOnce(stopped.scheduler);
    stopped.subscription.unsubscribe();
    stopped.scheduler.flush();
    expect(stopped.seen).to.deep.equal([0, 1, 2]);
  });
});

describe('progress', () => {
  const at = (step: number) => {
    const { lessons, isEnd, isExam } = progressOf({ step, loss: 1, params: firstParams }, 350);
    return { lessons, isEnd, isExam };
  };

  it('is a course first, then lessons; there are examinations on the way, and at each end', () => {
    expect(at(10)).to.deep.equal({ lessons: 0, isEnd: false, isExam: false });
    expect(at(25)).to.deep.equal({ lessons: 0, isEnd: false, isExam: true });
    expect(at(350)).to.deep.equal({ lessons: 0, isEnd: true, isExam: true });
    expect(at(350 + LESSON - 1)).to.deep.equal({ lessons: 0, isEnd: false, isExam: false });
    expect(at(350 + 2 * LESSON)).to.deep.equal({ lessons: 2, isEnd: true, isExam: true });
  });

  it('is smoothed by the mean of the last 20', () => {
    const values = Array.from({ length: 30 }, (_, k) => k);
    expect([0, 19, 29].map((k) => running(values)[k])).to.deep.equal([0, 9.5, 19.5]);
  });
});
