/** @file Frames: what middleware may read and write of a feed on its way (F004). */
import { expect } from 'chai';
import { from, map, of, tap } from 'rxjs';
import {
  add,
  assign,
  EinstreamError,
  graph,
  input,
  liveMemory,
  mul,
  named,
  run,
  slice,
  sum,
  tensor,
  transpose,
  valueOf,
  at,
  type Frame,
  type Tensor,
} from '../../src/index.js';
import { only, probing, waiting } from '../support/middleware.js';
import { virtually } from '../support/marbles.js';

const g = graph({ x: input([2, 2]) }, ({ x }) => {
  const t = named('t', transpose(x));
  const s = named('s', mul(t, 2));
  return { y: named('y', add(s, 1)), total: sum(s) };
});
const feed = (k: number): { x: number[][] } => ({
  x: [
    [k, 2],
    [3, 4],
  ],
});

/** Runs at level none, calling `look` with each frame that leaves the node of this name. */
const looking = (name: string, look: (frame: Frame, id: number) => void) =>
  of(feed(1)).pipe(
    run(g, {
      level: 'none',
      use: [
        only(
          name,
          probing((node, frame) => look(frame, node.id)),
        ),
      ],
    }),
  );

const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a frame', () => {
  it('counts the feeds of its subscription from 0', () => {
    const seen: number[][] = [[], []];
    for (const list of seen)
      from([feed(1), feed(2), feed(3)])
        .pipe(
          run(g, {
            use: [
              only(
                'y',
                probing((_, { index }) => list.push(index)),
              ),
            ],
          }),
        )
        .subscribe();
    expect(seen).to.deep.equal([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('has a value for each node whose step has run, and for its inputs', () => {
    const seen: unknown[] = [];
    looking('s', (frame) => seen.push([0, 1, 3].map((id) => valueOf(frame, id).toArray()))).subscribe();
    expect(seen).to.deep.equal([
      [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [1, 3],
          [2, 4],
        ],
        [
          [2, 6],
          [4, 8],
        ],
      ],
    ]);
  });

  it('refuses a node that has not run, and one that is not there', () => {
    const codes: unknown[] = [];
    looking('t', (frame) => {
      for (const id of [3, 99, -1, 0.5, NaN]) codes.push((thrownBy(() => valueOf(frame, id)) as EinstreamError).code);
    }).subscribe();
    expect(codes).to.deep.equal(Array.from({ length: 5 }, () => 'E_GRAPH'));
  });

  it('is E_STALE when it is read or written after its end', () => {
    let kept: Frame | undefined;
    looking('s', (frame) => (kept = frame)).subscribe();
    for (const call of [
      () => valueOf(kept!, 0),
      () =>
        assign(
          kept!,
          3,
          tensor([
            [1, 2],
            [3, 4],
          ]),
        ),
    ])
      expect(thrownBy(call)).to.be.instanceOf(EinstreamError).with.property('code', 'E_STALE');
  });

  it('is E_STALE too when its arena went on to the next frame', () => {
    const codes: unknown[] = [];
    let before: Frame | undefined;
    from([feed(1), feed(2)])
      .pipe(
        run(g, {
          level: 'none',
          use: [
            only(
              's',
              probing((_, frame) => {
                if (before !== undefined) codes.push((thrownBy(() => valueOf(before!, 0)) as EinstreamError).code);
                before = frame;
              }),
            ),
          ],
        }),
      )
      .subscribe();
    expect(codes).to.deep.equal(['E_STALE']);
  });

  it('lets an assigned value take the place of the computed one, whatever its layout', () => {
    const seen: unknown[] = [];
    const given = transpose<Tensor>(
      tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    const use = [only('s', (_step, node) => map((frame) => assign(frame, node.id, given)))];
    of(feed(1))
      .pipe(run(g, { level: 'none', use }))
      .subscribe(({ y, total }) => seen.push(y.toArray(), total.toArray()));
    expect(seen).to.deep.equal([
      [
        [2, 4],
        [3, 5],
      ],
      10,
    ]);
    expect(given.toArray()).to.deep.equal([
      [1, 3],
      [2, 4],
    ]);
  });

  it('lets a value be assigned that another node holds, without tying the two', () => {
    const seen: unknown[] = [];
    const use = [
      only(
        'y',
        (step, node) => (frames$) =>
          frames$.pipe(
            step,
            map((frame) => assign(frame, node.id, valueOf(frame, 3))),
          ),
      ),
    ];
    from([feed(1), feed(5)])
      .pipe(run(g, { level: 'none', use }))
      .subscribe(({ y }) => seen.push(y.toArray()));
    expect(seen).to.deep.equal([
      [
        [2, 6],
        [4, 8],
      ],
      [
        [10, 6],
        [4, 8],
      ],
    ]);
  });

  it('keeps what was read valid for good, while later frames compute', () => {
    const kept: Tensor[] = [];
    from([1, 2, 3, 4].map(feed))
      .pipe(
        run(g, {
          level: 'none',
          use: [
            only(
              's',
              probing((node, frame) => kept.push(slice<Tensor>(valueOf(frame, node.id), at(0), at(0)))),
            ),
          ],
        }),
      )
      .subscribe();
    expect(kept.map((t) => t.toArray())).to.deep.equal([2, 4, 6, 8]);
  });

  it('owns its values: frames that are on their way at once do not meet', () => {
    const seen: unknown[] = [];
    virtually(({ flush }) => {
      from([1, 2, 3].map(feed))
        .pipe(
          run(g, {
            level: 'none',
            use: [
              only(
                's',
                waiting(({ index }) => 5 - index),
              ),
              only(
                'y',
                waiting(() => 9),
              ),
            ],
          }),
          tap(() => seen.push(liveMemory().frames)),
        )
        .subscribe(({ y }) => seen.push((y.toArray() as number[][])[0][0]));
      flush();
    });
    expect(seen).to.deep.equal([2, 3, 1, 5, 0, 7]);
  });
});
