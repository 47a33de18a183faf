/** @file Capabilities as text. */
import { expect } from 'chai';
import { js, summarize } from '../../src/backends/index.js';
import { claiming } from '../support/claiming.js';

describe('summarize (F087, E07)', () => {
  it('prints what there is, and leaves out what there is not', () => {
    expect(summarize(js({ kernels: 'generate' }).capabilities)).to.equal(
      [
        'js 1',
        '  devices  CPU:0',
        '  dtypes   bool, int32, float32, float64',
        '  features CodeGeneration',
        '  limits   64 axes, 16 GiB a tensor',
        '  kernels  synchronous',
      ].join('\n'),
    );
    const text = summarize(
      claiming({
        asynchronous: true,
        excludes: [{ op: 'erf' }, { op: 'exp', dtypes: ['int32', 'bool'] }, { op: 'cast', results: ['bool'] }],
      }).capabilities,
    );
    expect(text).to.match(/\n {2}lacks {4}erf, exp of int32 and bool, cast to bool\n {2}kernels {2}asynchronous/);
    expect(summarize(js({ kernels: 'interpret' }).capabilities)).to.match(/remarks .*interpreted/);
  });

  it('speaks of plain data', () => {
    const { capabilities } = js();
    expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
    expect(capabilities.features).not.to.include('SparseTensors');
  });
});
