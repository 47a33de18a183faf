import { expect } from 'chai';
import { parseEinsum } from '../../../src/ops/einsum/parse.js';
import { resolveEinsum } from '../../../src/ops/einsum/resolve.js';
import { contractionPath } from '../../../src/plan/path/index.js';
import type { Shape } from '../../../src/tensor/index.js';
import { contractionOf } from '../../support/contractions.js';
import { leastTime } from '../../support/leastTime.js';

describe('the search for a path is bounded (G8)', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const sizes = Object.fromEntries(letters.map((letter, i) => [letter, 2 + (i % 3)]));
  const triples = letters.flatMap((a, i) => letters.slice(i + 1).map((b, j) => a + b + letters[(i * 7 + j * 11) % 52]));
  const specs: Readonly<Record<string, string>> = {
    'ten operands over 52 letters': `${Array.from({ length: 10 }, (_, i) => letters.filter((_l, j) => (j * 7 + i * 13) % 5 < 3).join('')).join(',')}->`,
    'a ring of 52': `${letters.map((letter, i) => letter + letters[(i + 1) % 52]).join(',')}->`,
    '1,000 operands of three letters': triples.slice(0, 1000).join(','),
    '1,000 scalars': ','.repeat(999),
    '1,000 equal operands': Array.from({ length: 1000 }, () => 'a').join(','),
  };
  for (const [title, spec] of Object.entries(specs)) {
    it(`for ${title}: within 50 ms`, () => {
      const contraction = contractionOf(spec, sizes);
      expect(leastTime(50, () => void contractionPath(contraction))).to.be.at.most(50);
    });
  }

  it('for 60 labels, those of an ellipsis among them', () => {
    const shape: Shape = [...new Array<number>(8).fill(2), ...new Array<number>(26).fill(1)];
    const spec = `...${letters.slice(0, 26).join('')},...${letters.slice(26).join('')},...->`;
    const { contraction } = resolveEinsum(parseEinsum(spec), [shape, shape, shape.slice(0, 8)]);
    expect(contraction!.sizes).to.have.length(60);
    expect(contractionPath(contraction!).steps).to.have.length(2);
  });
});
