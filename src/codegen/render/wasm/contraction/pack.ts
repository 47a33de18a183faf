/**
 * @file Packing: a panel of `width` rows (or columns) of an operand, k after k, whatever the operand's strides.
 *
 * Offsets come from tables, so any number of axes may stand behind a row, a column or a k. Lines past the edge repeat the
 * last one: what is computed from them is never stored.
 */
import type { Code } from '../bytes.js';
import { block, br, brIf, f32, i32, leave, loop, shuffle, v128, when } from '../instructions.js';
import type { FunctionSource, Local, Scope } from '../module.js';
import { advance, countdown } from './control.js';

/** How an operand lies, as a word tells it: any way, `width` lines side by side, or k after k. */
export const ANY_WAY = 0;
export const LINES_ADJACENT = 1;
export const STEPS_ADJACENT = 2;

const lanes = (...order: readonly number[]): readonly number[] =>
  order.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte));

/** `name(source, lines, steps, count, way, to)`: lines and steps are tables of byte offsets, `count` steps from `steps` on. */
export const packFunction = (name: string, width: number): FunctionSource => ({
  name,
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
  body: (scope) => {
    const [source, lines, steps, count, way, to] = [0, 1, 2, 3, 4, 5].map(scope.param);
    const line = Array.from({ length: width }, () => scope.local('i32'));
    const offset = (table: Local, index: number): Code => i32.load(table.get, { offset: 4 * index, align: 2 });
    return [
      when(i32.eq(way.get, i32.const(LINES_ADJACENT)), [
        advance(source, offset(lines, 0)),
        countdown(
          count,
          1,
          copyLine(scope, width, i32.add(source.get, offset(steps, 0)), to),
          advance(to, i32.const(4 * width)),
          advance(steps, i32.const(4)),
        ),
        leave,
      ]),
      line.map((each, k) => each.set(i32.add(source.get, offset(lines, k)))),
      when(i32.eq(way.get, i32.const(STEPS_ADJACENT)), [
        line.map((each) => advance(each, offset(steps, 0))),
        block(
          loop(
            brIf(1, i32.lt_s(count.get, i32.const(4))),
            turn(scope, line, to),
            line.map((each) => advance(each, i32.const(16))),
            advance(to, i32.const(16 * width)),
            advance(count, i32.const(-4)),
            br(0),
          ),
        ),
        when(i32.eqz(count.get), leave),
        countdown(
          count,
          1,
          gather(line, to, (each) => each.get),
          line.map((each) => advance(each, i32.const(4))),
          advance(to, i32.const(4 * width)),
        ),
        leave,
      ]),
      countdown(
        count,
        1,
        gather(line, to, (each) => i32.add(each.get, offset(steps, 0))),
        advance(to, i32.const(4 * width)),
        advance(steps, i32.const(4)),
      ),
    ];
  },
});

/** One step of every line, each from its own place. */
const gather = (line: readonly Local[], to: Local, address: (line: Local) => Code): Code =>
  line.map((each, k) => f32.store(to.get, f32.load(address(each), { align: 2 }), { offset: 4 * k, align: 2 }));

/** `width` numbers that lie side by side. */
function copyLine(scope: Scope, width: number, from: Code, to: Local): Code {
  const at = scope.local('i32');
  const whole = width - (width % 4);
  const vectors = Array.from({ length: whole / 4 }, (_, k) =>
    v128.store(to.get, v128.load(at.get, { offset: 16 * k }), { offset: 16 * k }),
  );
  const rest = Array.from({ length: width % 4 }, (_, k) => {
    const place = { offset: 4 * (whole + k), align: 2 };
    return f32.store(to.get, f32.load(at.get, place), place);
  });
  return [at.set(from), vectors, rest];
}

/** Four steps of every line: 4 × 4 transposes, then pairs, then what is left. */
function turn(scope: Scope, line: readonly Local[], to: Local): Code {
  const code: Code[] = [];
  const width = line.length;
  const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, () => scope.local('v128'));
  const place = (step: number, at: number) => ({ offset: 4 * (step * width + at) });
  const low = lanes(0, 4, 1, 5);
  const high = lanes(2, 6, 3, 7);
  let at = 0;
  for (; at + 4 <= width; at += 4) {
    code.push([a, b, c, d].map((row, k) => row.set(v128.load(line[at + k].get))));
    code.push(e.set(shuffle(a.get, b.get, low)), f.set(shuffle(a.get, b.get, high)));
    code.push(g.set(shuffle(c.get, d.get, low)), h.set(shuffle(c.get, d.get, high)));
    const halves: readonly (readonly [Local, Local])[] = [[e, g], [f, h]]; // prettier-ignore
    halves.forEach(([x, y], k) => {
      code.push(v128.store(to.get, shuffle(x.get, y.get, lanes(0, 1, 4, 5)), place(2 * k, at)));
      code.push(v128.store(to.get, shuffle(x.get, y.get, lanes(2, 3, 6, 7)), place(2 * k + 1, at)));
    });
  }
  for (; at + 2 <= width; at += 2) {
    code.push([a, b].map((row, k) => row.set(v128.load(line[at + k].get))));
    code.push(e.set(shuffle(a.get, b.get, low)), f.set(shuffle(a.get, b.get, high)));
    code.push([0, 1, 2, 3].map((step) => v128.store64_lane(to.get, (step < 2 ? e : f).get, step % 2, place(step, at))));
  }
  for (; at < width; at++) {
    code.push(a.set(v128.load(line[at].get)));
    code.push([0, 1, 2, 3].map((step) => v128.store32_lane(to.get, a.get, step, place(step, at))));
  }
  return code;
}
