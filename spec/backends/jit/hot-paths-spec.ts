/** @file Paths that run often: counted, ranked, forgotten. */
import { expect } from 'chai';
import { hotPaths } from '../../../src/index.js';
import { thrownBy } from '../../support/thrownBy.js';

const times = (count: number, act: () => unknown): void => void Array.from({ length: count }, act);

describe('hotPaths (F039)', () => {
  it('finds a path hot from the threshold on, neither before nor only after', () => {
    for (const [threshold, runs, isHot] of [
      [10, 9, false],
      [10, 10, true],
      [10, 11, true],
      [3, 2, false],
      [3, 3, true],
      [1, 1, true],
    ] as const) {
      const paths = hotPaths({ threshold });
      times(runs, () => paths.record('a'));
      expect(paths.hot().map(({ key }) => key)).to.deep.equal(isHot ? ['a'] : []);
      expect(paths.runsOf('a')).to.equal(runs);
    }
    const byDefault = hotPaths();
    times(9, () => byDefault.record('a'));
    expect(byDefault.hot()).to.deep.equal([]);
    expect(byDefault.record('a')).to.equal(10);
    expect(byDefault.hot()).to.have.length(1);
  });

  it('ranks by the time that all runs took together, not by their number', () => {
    let now = 5;
    const paths = hotPaths({ threshold: 2, clock: () => now });
    times(9, () => paths.record('often', 1));
    now = 7;
    times(2, () => paths.record('slow', 50));
    expect(paths.hot()).to.deep.equal([
      { key: 'slow', runs: 2, totalMs: 100, lastMs: 7 },
      { key: 'often', runs: 9, totalMs: 9, lastMs: 5 },
    ]);
  });

  it('counts within a window of the latest runs', () => {
    const paths = hotPaths({ threshold: 2, window: 3 });
    paths.record('a', 1);
    paths.record('a', 2);
    expect(paths.hot()[0]).to.include({ runs: 2, totalMs: 3 });
    times(2, () => paths.record('b', 5));
    expect(paths.hot().map(({ key, runs, totalMs }) => ({ key, runs, totalMs }))).to.deep.equal([
      { key: 'b', runs: 2, totalMs: 10 },
    ]);
    expect(paths.runsOf('a')).to.equal(1);
    paths.record('b');
    expect(paths.runsOf('a'), 'no run of it is left').to.equal(0);
    expect(paths.runsOf('b')).to.equal(3);
  });

  it('finds cold what was not run for longer than five minutes, or as long as is said, by its clock', () => {
    let now = 0;
    const paths = hotPaths({ clock: () => now });
    paths.record('a');
    now = 1000;
    paths.record('b');
    now = 300_000;
    expect(paths.cold()).to.deep.equal([]);
    now = 300_001;
    expect(paths.cold()).to.deep.equal(['a']);
    expect(paths.cold(299_000)).to.deep.equal(['a', 'b']);
    paths.record('a');
    expect(paths.cold()).to.deep.equal([]);
  });

  it('remembers so many paths and no more, compares keys in full, and forgets when it is told to', () => {
    const paths = hotPaths({ threshold: 1, limit: 2 });
    for (const key of ['__proto__', 'constructor', '__proto__', 'toString']) paths.record(key);
    expect(paths.runsOf('__proto__')).to.equal(2);
    expect(paths.runsOf('constructor')).to.equal(0);
    expect(paths.hot().map(({ key }) => key)).to.have.members(['__proto__', 'toString']);
    paths.forget('toString');
    expect(paths.hot().map(({ key }) => key)).to.deep.equal(['__proto__']);
    paths.clear();
    expect(paths.hot()).to.deep.equal([]);
  });

  it('refuses options outside their range', () => {
    for (const [options, place] of [
      [{ threshold: 0 }, 'threshold'],
      [{ threshold: 1.5 }, 'threshold'],
      [{ window: -1 }, 'window'],
      [{ limit: NaN }, 'limit'],
      [{ clock: 3 }, 'clock'],
    ] as const) {
      const error = thrownBy(() => hotPaths(options as never));
      expect(error.code).to.equal('E_ARGUMENT');
      expect(error.message).to.contain(place);
    }
  });
});
