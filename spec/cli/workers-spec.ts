import { expect } from 'chai';
import { of, Subject, toArray } from 'rxjs';
import { byWorkers } from '../../src/cli/by-workers.js';
import type { Answer, Unit } from '../../src/cli/units.js';
import { fault } from '../../src/errors/index.js';
import { einsum, evaluate, graph, input, mul, tensor, type ExecutorPool, type Outputs } from '../../src/index.js';
import { cancellable } from '../../src/run/cancellable.js';
import { buildPoolWorker } from '../support/builtPool.js';
import { einstream } from '../support/commandLine.js';
import { graphFiles } from '../support/graphFiles.js';

const g = graph({ x: input(['n']) }, ({ x }) => ({ y: mul(x, 2) }));
const unit = (k: number): Unit => ({ first: k, last: k, feeds: { x: [k] } });

/** A pool that answers when it is told to, in any order. */
function scripted() {
  const asked: { readonly x: number; readonly answer: () => Promise<void>; readonly refuse: (error: unknown) => void }[] = [];
  const seen = { cancelled: 0 };
  const pool = {
    evaluate: (of: typeof g, feeds: { readonly x: readonly number[] }) =>
      cancellable<Outputs>((done, fail) => {
        asked.push({ x: feeds.x[0], answer: async () => done(await evaluate(of, feeds)), refuse: fail });
        return () => void seen.cancelled++;
      }),
  } as unknown as Pick<ExecutorPool, 'evaluate'>;
  return { pool, asked, seen };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('units computed by workers', () => {
  it('leave in the order in which they came, whoever was first, with no more than allowed at a time', async () => {
    const { pool, asked } = scripted();
    const units$ = new Subject<Unit>();
    const answers: Answer[] = [];
    units$.pipe(byWorkers(pool, g, 3)).subscribe((answer) => answers.push(answer));
    for (let k = 1; k <= 5; k++) units$.next(unit(k));
    expect(asked.map(({ x }) => x)).to.deep.equal([1, 2, 3]);
    await asked[1].answer();
    await asked[2].answer();
    await turn();
    expect(answers).to.deep.equal([]);
    expect(asked).to.have.length(3);
    await asked[0].answer();
    await turn();
    expect(answers.map(({ unit: { first }, outputs }) => [first, outputs!['y'].toArray()])).to.deep.equal([[1, [2]], [2, [4]], [3, [6]]]); // prettier-ignore
    expect(asked.map(({ x }) => x)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('have errors of their own; what is no error of the engine ends all, and leaving cancels', async () => {
    const { pool, asked, seen } = scripted();
    const units$ = new Subject<Unit>();
    const answers: Answer[] = [];
    let ended: unknown;
    units$.pipe(byWorkers(pool, g, 3)).subscribe({ next: (answer) => answers.push(answer), error: (error: unknown) => (ended = error) }); // prettier-ignore
    for (let k = 1; k <= 3; k++) units$.next(unit(k));
    asked[0].refuse(fault('E_KERNEL', { rule: 'a kernel must not fail' }));
    await turn();
    expect(answers.map(({ unit: { first }, error }) => [first, (error as { code: string }).code])).to.deep.equal([[1, 'E_KERNEL']]); // prettier-ignore
    const broken = new Error('broken');
    asked[2].refuse(broken);
    await turn();
    expect([ended, seen.cancelled]).to.deep.equal([broken, 1]);
  });

  it('that need no computing keep their place', async () => {
    const pool = { evaluate: (of: typeof g, feeds: object) => cancellable((done, fail) => (evaluate(of, feeds as never).then(done, fail), () => undefined)) } as unknown as Pick<ExecutorPool, 'evaluate'>; // prettier-ignore
    const late: Unit = { first: 2, last: 2, late: 'late' };
    const answers = await new Promise<readonly Answer[]>((resolve) =>
      of(unit(1), late, { ...unit(3), feeds: { x: tensor([3]) } })
        .pipe(byWorkers(pool, g, 2), toArray())
        .subscribe(resolve),
    );
    expect(answers.map(({ unit: { first } }) => first)).to.deep.equal([1, 2, 3]);
    expect(answers[1]).to.deep.equal({ unit: late });
  });
});

describe('einstream run --workers', function () {
  this.timeout(60_000);
  const files = graphFiles();
  const path = files.file(
    'dot.json',
    graph({ x: input(['n']), w: input(['n']) }, ({ x, w }) => ({ y: einsum('n,n->', x, w) })),
  );
  before(buildPoolWorker);
  after(() => files.remove());
  const line = (k: number): string => `{"x":[${k},1],"w":[2,${k % 5}]}\n`;

  it('writes what one thread writes, in the same order', async () => {
    const feeds = Array.from({ length: 300 }, (_, k) => line(k)).join('');
    expect(await einstream(['run', path, '--workers', '2'], feeds)).to.deep.equal(await einstream(['run', path], feeds));
  });

  it('names the line of each error, behind the outputs before it', async () => {
    const bad = `${line(1)}{"x":[1],"w":[1,2]}\n${line(3)}{"x":[1]}\nno\n${line(6)}`;
    for (const onError of ['stop', 'skip']) {
      const args = ['run', path, '--on-error', onError];
      expect(await einstream([...args, '--workers', '2'], bad)).to.deep.equal(await einstream(args, bad));
    }
  });

  it('is refused with options that workers do not know', async () => {
    for (const [args, says] of [
      [['--workers', 'two'], /"--workers": the option is an integer in its range; expected 0 to 1024, got "two"/],
      [['--workers', '2', '--keep', 'y'], /"--workers": .*know no --keep/],
      [['--workers', '2', '--level', 'none'], /"--workers": .*know no --level/],
    ] as const) {
      const { code, stderr } = await einstream(['run', path, ...args]);
      expect(code).to.equal(2);
      expect(stderr).to.match(says);
    }
  });
});
