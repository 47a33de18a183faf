/**
 * @file Nothing goes uncaught, and nothing is held: for specs of failures.
 */
import { expect } from 'chai';
import { config } from 'rxjs';
import { liveMemory } from '../../src/index.js';

/** Checks it after each test. Gives the list of what RxJS could only throw on a timer; a test that expects some empties it. */
export function expectNothingUncaught(): unknown[] {
  const uncaught: unknown[] = [];
  beforeEach(() => {
    config.onUnhandledError = (error: unknown) => uncaught.push(error);
  });
  afterEach(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    const seen = uncaught.splice(0);
    config.onUnhandledError = null;
    expect(seen, 'uncaught').to.deep.equal([]);
    expect(liveMemory()).to.deep.equal({ frames: 0, bytes: 0 });
  });
  return uncaught;
}
