/**
 * @file Who may join a group.
 *
 * A kernel runs over a row once for each fold, and once more where it writes elements. A value of each element is computed
 * again in every run that reads it. That is worth it while it costs less than to write and read the value instead (`AGAIN`),
 * which a function such as exp never does, unless kernels keep it: the operand of the last sum, where what is written reads
 * nothing else along the row, lies in the output until then (softmax).
 */
import type { NodeId, OpNode } from '../../graph/graph.js';
import { addFold, addMember, levelGiven, levelOf, readersIn, readersOf, runOf, WRITES, type Group, type Growth, type Level, type Runs } from './growth.js'; // prettier-ignore
import { isBeside, isKept, isStill, sameDims, spaceOfRows, type Space } from './space.js';
import { FUNCTION, weightOf } from './weight.js';

/** Additions for each element of a row that a kernel may do again. */
const AGAIN = 16;
/** Nodes that fold: a run of each is a bit of a small integer. */
const MOST_FOLDS = 24;

/** Adds the node, if the group has room and its readers see it as they would a stored value. */
export function join(growth: Growth, group: Group, node: OpNode, space: Space | undefined): boolean {
  if (!hasRoom(growth, group, node, space?.turns ?? 0)) return false;
  return space === undefined ? joinElementwise(growth, group, node) : joinFold(growth, group, node, space);
}

function hasRoom(growth: Growth, group: Group, node: OpNode, turns: number): boolean {
  const { maxFusedNodes, maxFusedOperands = Infinity } = growth.context;
  if (group.members.length >= maxFusedNodes || !growth.chains.fits(readersIn(growth, node.id))) return false;
  if (maxFusedOperands === Infinity) return true;
  const next = new Set(group.operands);
  next.delete(node.id);
  for (const input of node.inputs) next.add(input);
  // Passes of a device read results of folds as they read operands.
  return next.size + group.turns.reduce((sum, each) => sum + each, turns) <= maxFusedOperands;
}

function joinElementwise(growth: Growth, group: Group, node: OpNode): boolean {
  const { types, runs, levels } = growth;
  const { id } = node;
  const dims = types[id]?.dims;
  const isLikeRoot = sameDims(dims, types[group.root]?.dims);
  // What each row of the root has once may come from a fold over them: others are put apart later.
  if (group.space === undefined && !isLikeRoot) {
    group.space = spaceOfRows(dims, types[group.root]?.dims);
    if (group.space === undefined) return false;
    group.level = 'element';
  }
  const { space } = group;
  if (space === undefined) runs[id] = WRITES;
  else if (sameDims(dims, space.dims)) {
    const given = runsReading(growth, id);
    const computed = affordable(growth, group, node, given);
    if (computed === undefined) return false;
    runs[id] = computed;
    levels[id] = 'element';
  } else if (group.level !== 'beside' && isKept(dims, space)) levels[id] = 'aligned';
  else if (isLikeRoot && isReadBeside(growth, id)) levels[id] = 'beside';
  else return false;
  addMember(growth, group, node);
  return true;
}

const isReadBeside = (growth: Growth, id: NodeId): boolean =>
  readersOf(growth, id).every((reader) => levelOf(growth, reader) === 'beside');

const runsReading = (growth: Growth, id: NodeId): Runs =>
  readersOf(growth, id).reduce((runs, reader) => runs | (growth.folds.get(reader)?.runs ?? growth.runs[reader]), 0);

/** The runs that compute a value which these runs read; undefined where that is too much. */
function affordable(growth: Growth, group: Group, node: OpNode, runs: Runs): Runs | undefined {
  if (group.space!.isShort && weightOf(node, growth.types) >= FUNCTION) return undefined;
  const times = group.turns.reduce((sum, turns, fold) => (runs & runOf(fold) ? sum + turns : sum), runs & WRITES);
  if (times <= 1) return runs;
  const again = group.again + weightOf(node, growth.types) * (times - 1);
  if (again > AGAIN) return isKeptOnTheWay(growth, group, node, runs) ? runs & ~WRITES : undefined;
  group.again = again;
  return runs;
}

function isKeptOnTheWay(growth: Growth, group: Group, { id }: OpNode, runs: Runs): boolean {
  const { types, folds } = growth;
  const isRead = runs === (WRITES | runOf(0)) && types[id]?.dtype === types[group.root]?.dtype;
  const isSummed = readersOf(growth, id).some((reader) => folds.get(reader)?.space.isPlainSum === true);
  const isAlone = [...group.written].every((each) => each === id || isStill(types[each]?.dims, group.space!));
  return isRead && isSummed && isAlone;
}

function joinFold(growth: Growth, group: Group, node: OpNode, space: Space): boolean {
  const { types, runs } = growth;
  const { id } = node;
  const root = types[group.root];
  if (group.turns.length >= MOST_FOLDS || (types[id]?.dtype === 'int32') !== (root?.dtype === 'int32')) return false;
  if (group.space !== undefined && !isSameSpace(group.space, space)) return false;
  const level = group.space === undefined ? levelWith(growth, group, node, space) : group.level;
  if (level === undefined || (space.gives === 'beside' && group.space !== undefined && !isReadBeside(growth, id))) return false;
  // A further run over a row that is not near reads it from memory.
  const isOnlyRun = group.turns.length === 0 && space.turns === 1 && level !== 'element';
  if (!space.isNear && !isOnlyRun) return false;
  if (space.isShort) return false;
  if (space.gives === 'elements') {
    runs[id] = runsReading(growth, id);
    // It is computed from its operand, exponentials included, in each of them.
    if ((runs[id] & (runs[id] - 1)) !== 0) return false;
  }
  group.level = level;
  addFold(growth, group, node, space);
  return true;
}

const isSameSpace = (a: Space, b: Space): boolean =>
  sameDims(a.dims, b.dims) && a.axes.length === b.axes.length && a.axes.every((axis, k) => axis === b.axes[k]);

/** Where the root lies once this fold, the first of its group, has joined; undefined where that is nowhere. */
function levelWith({ types }: Growth, group: Group, { id }: OpNode, space: Space): Level | undefined {
  const dims = types[group.root]?.dims;
  if (space.gives === 'beside') return isBeside(dims, space) ? 'beside' : undefined;
  if (sameDims(dims, space.dims)) return 'element';
  return levelGiven(space) === 'aligned' && sameDims(dims, types[id]?.dims) ? 'aligned' : undefined;
}
