/**
 * @file Which passes a compilation runs: the level's, with fusing and folding of constants put in or left out by flags.
 */
import { LEVELS, type Level, type Pass } from '../../passes/index.js';

/** Passes that join nodes into one kernel. */
export const isFusing = ({ name }: Pick<Pass, 'name'>): boolean => name.startsWith('fuse');
const isFolding = ({ name }: Pass): boolean => name === 'foldConstants';

/**
 * The passes in their order, which is that of the highest level: it has all of them.
 *
 * @param levels which level runs which passes
 */
export function passesFor(
  { level, fusion, constantFolding }: { readonly level: Level; readonly fusion?: boolean; readonly constantFolding?: boolean },
  levels: Readonly<Record<Level, readonly Pass[]>> = LEVELS,
): readonly Pass[] {
  const [flagged, asked] = [
    (pass: Pass): boolean | undefined => (isFusing(pass) ? fusion : isFolding(pass) ? constantFolding : undefined),
    levels[level],
  ];
  // A pass may stand in a level twice.
  const left = [...asked];
  const isAsked = (pass: Pass): boolean => {
    const at = left.indexOf(pass);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  return levels.aggressive.filter((pass) => {
    const own = isAsked(pass);
    return flagged(pass) ?? own;
  });
}
