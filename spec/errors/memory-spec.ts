import { expect } from 'chai';
import { EinstreamError, formatDiagnostic, highMemory, leak, outOfMemory } from '../../src/errors/index.js';

const MiB = 1024 ** 2;
const ways = (requested: number, available: number): string => outOfMemory(requested, available).suggestions.join('\n');

describe('outOfMemory', () => {
  it('says how much was asked for, how much there is and what is missing, in human units (F105)', () => {
    expect(outOfMemory(1024 * MiB, 512 * MiB).context).to.deep.equal([
      'Requested: 1 GiB (1073741824 bytes)',
      'Available: 512 MiB (536870912 bytes)',
      'Missing: 512 MiB',
    ]);
  });

  it('counts chunks and shrinks the batch by the ratio of the two (F105)', () => {
    expect(ways(1000 * MiB, 300 * MiB))
      .to.contain('Work in chunks: 4 or more, of at most 300 MiB each')
      .and.contain('at most 30 % of its size');
  });

  it('proposes the precision that would fit, and none that would not (F105)', () => {
    expect(ways(1024, 512)).to.contain('Halve the precision (float32 for float64): 512 bytes would fit');
    expect(ways(1024, 256)).to.contain('Quantise float32 to int8: 256 bytes would fit').and.not.contain('Halve');
    expect(ways(1024, 255)).to.not.match(/Halve|Quantise/);
  });

  it('speaks of pieces when there is enough, and of releasing when there is nothing (F105)', () => {
    expect(ways(100, 200)).to.contain('not in one piece');
    expect(ways(100, 0)).to.equal('Release tensors that are no longer needed, or raise the limit');
    expect(ways(1e15, 1)).to.not.contain('0 %');
  });

  it('becomes an E_OOM that names its place', () => {
    expect(new EinstreamError(outOfMemory(2048, 1024, { place: 'act', nodeId: 5 })))
      .to.include({ code: 'E_OOM', nodeId: 5 })
      .and.have.property('message')
      .that.matches(/^Out of memory at "act": 2 KiB requested, 1 KiB available: /);
  });

  it('reports numbers that are none without failing', () => {
    expect(formatDiagnostic(outOfMemory(NaN, -1))).to.contain('an unknown amount requested, an unknown amount available');
  });
});

describe('leak', () => {
  it('is warning W001 with the amount and who holds it (F105)', () => {
    expect(
      formatDiagnostic(leak(3 * MiB, { tensors: 2, holders: ['cache'] }))
        .split('\n')
        .slice(0, 8),
    ).to.deep.equal([
      '[WARNING] Possible memory leak: 3 MiB in 2 tensors not released',
      '  code: W001',
      '',
      'Context:',
      '  Held by: "cache"',
      '',
      'Suggestions:',
      '  1. Release what "cache" holds',
    ]);
    expect(leak(1, { tensors: 1 }).message).to.equal('Possible memory leak: 1 byte in 1 tensor not released');
    expect(leak(1, { place: 'pool' }).message).to.equal('Possible memory leak at "pool": 1 byte not released');
  });
});

describe('highMemory', () => {
  it('is warning W003 with the share of the budget and what is left of it (F106)', () => {
    const found = highMemory(900 * MiB, 1000 * MiB);
    expect(found).to.deep.include({ severity: 'warning', code: 'W003', context: ['Left: 100 MiB'] });
    expect(found.message).to.equal('High memory use: 900 MiB of a budget of 1000 MiB (90 %)');
  });

  it('says by how much a budget is exceeded, and how far the batch must shrink', () => {
    const found = highMemory(2000, 1000, { place: 'y' });
    expect(found.message).to.contain('at "y"').and.contain('(200 %)');
    expect(found.context).to.deep.equal(['Over the budget by: 1000 bytes']);
    expect(found.suggestions[0]).to.contain('at most 50 %');
  });
});
