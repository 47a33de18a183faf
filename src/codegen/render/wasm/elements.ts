/**
 * @file Vectors of elements along one axis, read from and written to wherever a walk's pointers stand.
 */
import type { Code } from './bytes.js';
import { i32, select, v128, when } from './instructions.js';
import { fromRaw, LANES, loadRaw, loadSplat, LOG_BYTES, toRaw, type LaneKind, type Lanes } from './lanes.js';
import type { Local } from './module.js';
import type { Walk } from './walk.js';

/** Elements `from`, `from + 1`, … behind the pointers along `axis`, of which only the first `left` exist when it is there. */
export interface Span {
  readonly kind: LaneKind;
  readonly axis: number;
  readonly from: number;
  readonly left: Local | undefined;
}

/** A tensor's elements of the span. Lanes that do not exist hold anything. */
export function loadSpan(walk: Walk, tensor: number, span: Span): Code {
  const { kind, axis, from, left } = span;
  const dtype = walk.dtypes[tensor];
  const pointer = walk.pointers[tensor].get;
  const log = LOG_BYTES[dtype];
  switch (walk.moves[tensor][axis]) {
    case 'still':
      return fromRaw(kind, dtype, loadSplat(dtype, pointer));
    case 'unit':
      return fromRaw(kind, dtype, loadRaw(kind, dtype, pointer, from << log));
    case 'step': {
      // An element that does not exist may lie anywhere: the first stands for it.
      const index = (lane: number): Code => {
        const at = i32.const(from + lane);
        return left === undefined ? at : select(at, i32.const(0), i32.gt_s(left.get, at));
      };
      const address = (lane: number): Code =>
        from + lane === 0 ? pointer : i32.add(pointer, i32.mul(walk.stride(tensor, axis), index(lane)));
      let raw = loadSplat(dtype, address(0));
      for (let lane = 1; lane < LANES[kind]; lane++) raw = v128.loadLane(log, address(lane), raw, lane);
      return fromRaw(kind, dtype, raw);
    }
  }
}

/** One element of a tensor that does not move along the axis, in all lanes. */
export const loadStill = (walk: Walk, tensor: number, kind: LaneKind): Code =>
  fromRaw(kind, walk.dtypes[tensor], loadSplat(walk.dtypes[tensor], walk.pointers[tensor].get));

/** Writes what was computed to the output's elements of the span, as its dtype rounds. */
export function storeSpan(walk: Walk, { kind, axis, from, left }: Span, given: Lanes): Code {
  const tensor = walk.pointers.length - 1;
  const dtype = walk.dtypes[tensor];
  const pointer = walk.pointers[tensor].get;
  const log = LOG_BYTES[dtype];
  const lanes = LANES[kind];
  const isUnit = walk.moves[tensor][axis] === 'unit';
  const raw = walk.scope.local('v128');
  const lane = (k: number): Code =>
    isUnit
      ? v128.storeLane(log, pointer, raw.get, k, { offset: (from + k) << log })
      : v128.storeLane(log, i32.add(pointer, i32.mul(walk.stride(tensor, axis), i32.const(from + k))), raw.get, k);
  const each = Array.from({ length: lanes }, (_, k) =>
    left === undefined ? lane(k) : when(i32.gt_s(left.get, i32.const(from + k)), lane(k)),
  );
  const set = raw.set(toRaw(kind, dtype, given, walk.scope));
  const full =
    lanes << log === 16
      ? v128.store(pointer, raw.get, { offset: from << log })
      : v128.storeLane(log + Math.log2(lanes), pointer, raw.get, 0, { offset: from << log });
  if (!isUnit) return [set, each];
  return [set, left === undefined ? full : when(i32.ge_s(left.get, i32.const(from + lanes)), full, each)];
}

/** Writes lane 0 of what was computed to the output's element under the pointer. */
export function storeOne(walk: Walk, kind: LaneKind, given: Lanes): Code {
  const tensor = walk.pointers.length - 1;
  const dtype = walk.dtypes[tensor];
  const raw = toRaw(kind, dtype, given, walk.scope);
  const local = walk.scope.local('v128');
  return [local.set(raw), v128.storeLane(LOG_BYTES[dtype], walk.pointers[tensor].get, local.get, 0)];
}
