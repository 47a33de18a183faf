/** @file Results that are put together of several parts stay on the device. */
import { expect } from 'chai';
import {
  add,
  concat,
  evaluate,
  gradient,
  graph,
  input,
  js,
  matmul,
  mul,
  pad,
  range,
  relu,
  slice,
  stack,
  sum,
  type Graph,
} from '../../../src/index.js';
import { gpuStatistics } from '../../../src/gpu.js';
import { DEVICE_MODES, inGpuModes } from '../../support/gpuModes.js';

const x = input([3, 4]);
const cases: Readonly<Record<string, Graph>> = {
  concat: graph({ x }, (s) => ({ y: relu(concat([add(s.x, 1), s.x, mul(s.x, -2)], { axis: 1 })) })),
  'concat of rows': graph({ x }, (s) => ({ y: relu(concat([add(s.x, 1), mul(s.x, -2)], { axis: 0 })) })),
  'concat of equal parts': graph({ x }, (s) => {
    const each = add(s.x, 1);
    return { y: relu(concat([each, each, each, each], { axis: 1 })) };
  }),
  stack: graph({ x }, (s) => ({ y: relu(stack([add(s.x, 1), s.x], { axis: 2 })) })),
  pad: graph({ x }, (s) => ({ y: relu(pad(add(s.x, 1), { pads: [[1, 2], [0, 1]], value: 7 })) })), // prettier-ignore
  'the gradient of a slice': gradient(
    graph({ x }, (s) => ({ y: sum(mul(slice(s.x, range(0, 3, 2), range(null, null, -1)), 3)) })),
    { of: 'y', wrt: ['x'] },
  ),
  'concat of tiles': graph({ x: input([64, 64]) }, (s) => {
    const tile = matmul(s.x, s.x);
    return { y: relu(concat([tile, s.x, tile], { axis: 0 })) };
  }),
};

inGpuModes(
  (mode) => `parts of a result on gpu, mode ${mode}`,
  (backend, mode) => {
    for (const [title, g] of Object.entries(cases)) {
      it(`${title} is put together${DEVICE_MODES.includes(mode) ? ' on the device' : ''}`, async () => {
        const [rows, columns] = title === 'concat of tiles' ? [64, 64] : [3, 4];
        const feeds = {
          x: Array.from({ length: rows }, (_, i) =>
            Array.from({ length: columns }, (_each, j) => ((i * 5 + j * 3) % 11) / 8 - 0.5),
          ),
        };
        const want = Object.values(await evaluate(g, feeds, { backend: js() }));
        const before = gpuStatistics(backend());
        const got = Object.values(await evaluate(g, feeds, { backend: backend(), level: 'none', fallback: 'never' }));
        const { readbacks, handles, uploads } = gpuStatistics(backend());
        got.forEach((each, at) => {
          expect(each.shape).to.deep.equal(want[at].shape);
          each.data.forEach((value, k) => expect(value).to.be.closeTo(Number(want[at].data[k]), 1e-5));
        });
        // Of the output alone.
        if (DEVICE_MODES.includes(mode)) expect(readbacks - before.readbacks).to.equal(1);
        // Constants stay there.
        expect(handles - uploads).to.equal(0);
      });
    }
  },
);
