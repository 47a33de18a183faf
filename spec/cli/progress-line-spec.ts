import { expect } from 'chai';
import { VirtualTimeScheduler } from 'rxjs';
import { progressLine, type Counts } from '../../src/cli/progress-line.js';
import { graph, input, mul } from '../../src/index.js';
import { collecting, einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

const NONE: Counts = { taken: 0, told: 0, failed: 0, inFlight: 0, share: undefined, checkpointMs: undefined };

/** A progress line over virtual time, and what it wrote. */
function watched(terminal: { readonly isTTY?: boolean; readonly columns?: number }, per: number, ms: number) {
  const scheduler = new VirtualTimeScheduler();
  const stderr = Object.assign(collecting(), terminal);
  let counts = NONE;
  const line = progressLine({ stderr, scheduler, counts: () => counts });
  for (let at = 0; at < ms; at += per)
    scheduler.schedule(() => {
      counts = { ...counts, taken: counts.taken + 1, told: counts.told + 1 };
      line.answered();
    }, at);
  scheduler.schedule(() => line.end(), ms);
  scheduler.flush();
  return stderr.text();
}

describe('the progress line', () => {
  it('is drawn over itself on a terminal, at most five times a second, and gone at the end', () => {
    const text = watched({ isTTY: true }, 10, 2000);
    const drawn = text.split('\r\u001b[K').slice(1);
    expect(drawn).to.have.length(10);
    expect(drawn.at(-1)).to.equal('');
    expect(drawn[0]).to.equal('20 in  20 out  105/s');
    expect(drawn[8]).to.equal('181 in  181 out  101/s');
    expect(text).to.not.contain('\n');
  });

  it('is not drawn again while nothing changes, and never wider than the terminal', () => {
    expect(watched({ isTTY: true, columns: 12 }, 5000, 10_000).split('\r\u001b[K').slice(1)).to.deep.equal([
      '1 in  1 out',
      '2 in  2 out',
      '',
    ]);
  });

  it('elsewhere is a line every two seconds, without a control in it', () => {
    const text = watched({}, 1000, 9000);
    expect(text.split('\n')).to.deep.equal(['2 in  2 out  2/s', '5 in  5 out  1.3/s', '7 in  7 out  1.2/s', '9 in  9 out  1.1/s', '']); // prettier-ignore
  });

  it('tells what failed, what is in flight, how old the checkpoint is, and how much of the feeds is read', () => {
    const scheduler = new VirtualTimeScheduler();
    const stderr = Object.assign(collecting(), { isTTY: true });
    const counts = { taken: 12_345, told: 12_000, failed: 3, inFlight: 8, share: 0.519, checkpointMs: 4_900 };
    const line = progressLine({ stderr, scheduler, counts: () => counts });
    scheduler.schedule(() => line.end(), 300);
    scheduler.flush();
    expect(stderr.text()).to.equal('\r\u001b[K12,345 in  12,000 out  0/s  3 failed  8 in flight  saved 4 s ago  51 %\r\u001b[K');
  });
});

describe('einstream run --progress', () => {
  const files = graphFiles();
  const path = files.file(
    'g.json',
    graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) })),
  );
  after(() => files.remove());

  /** Virtual time passes between two chunks of feeds. */
  const run = (args: readonly string[], isTTY: boolean) => {
    const scheduler = new VirtualTimeScheduler();
    async function* input(): AsyncGenerator<Uint8Array> {
      for (const text of ['{"x":[1]}\n', '{"x":1}\n', '{"x":[3]}\n']) {
        yield Buffer.from(text);
        await new Promise((resolve) => setImmediate(resolve));
        scheduler.maxFrames = scheduler.frame + 2500;
        scheduler.flush();
      }
    }
    return einstream(['run', path, '--on-error', 'skip', ...args], input(), { scheduler, isTTY, columns: 80 });
  };

  it('is there on a terminal, makes room for errors, and leaves nothing behind', async () => {
    const { stderr, stdout } = await run([], true);
    expect(stdout).to.equal('{"y":[2]}\n{"y":[6]}\n');
    expect(stderr).to.contain('\r\u001b[K1 in  1 out');
    expect(stderr).to.match(/\r\u001b\[Kstdin:2: E_FEED .*\n/);
    const screen = stderr.split('\n').map((line) => line.split('\r\u001b[K').at(-1));
    expect(screen.map((line) => line!.slice(0, 14))).to.deep.equal(['stdin:2: E_FEE', 'einstream run:', '']);
  });

  it('is there elsewhere where it is asked for, as lines without controls', async () => {
    const always = await run(['--progress', 'always'], false);
    expect(always.stderr).to.match(/^1 in {2}1 out {2}.*\n/).and.not.contain('\u001b').and.not.contain('\r'); // prettier-ignore
    expect((await run([], false)).stderr).to.not.contain(' in  ');
    expect((await run(['--progress', 'never'], true)).stderr).to.not.contain('\u001b');
  });
});
