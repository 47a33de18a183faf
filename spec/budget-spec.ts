/** @file Files stay small. */
import { expect } from 'chai';
import { budgetOf, lineLimit, medianLimit } from './support/budget.js';
import { sourceFiles } from './support/sourceFiles.js';

const lines = (count: number) => 'x\n'.repeat(count);

describe('the file budget', () => {
  const files = new Map(['src', 'spec', 'demos'].flatMap((folder) => [...sourceFiles(folder, ['.ts', '.js', '.mjs', '.cjs'])]));
  const budget = budgetOf(files);

  before(() => {
    const [path, longest] = budget.longest;
    console.log(
      `  file budget: ${budget.files} files, median ${budget.median} lines (≤ ${medianLimit}), longest ${longest} (≤ ${lineLimit}): ${path}`,
    );
  });

  it('leaves no file over the limit', () => {
    expect(budget.over).to.deep.equal([]);
  });

  it('keeps the median low', () => {
    expect(budget.median).to.be.at.most(medianLimit);
  });

  it('counts lines, finds the one too long, and leaves generated tables out', () => {
    const found = budgetOf(
      new Map([
        ['a', lines(10)],
        ['b', lines(251)],
        ['c', `/** @generated */\n${lines(900)}`],
        ['d', lines(40)],
      ]),
    );
    expect(found).to.deep.equal({ files: 3, median: 40, longest: ['b', 251], over: [['b', 251]] });
  });
});
