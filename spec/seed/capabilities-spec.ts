/**
 * @file The seed's example of capabilities on the `gpu` backend, and what the features behind it ask: in each mode there is here.
 */
import { expect } from 'chai';
import { js, summarize, supportTable, supports, type Backend } from '../../src/backends/index.js';
import { allOps } from '../../src/ops/registry.js';
import { evaluate } from '../../src/run/index.js';
import { COMPUTED_DTYPES, STORAGE_DTYPES } from '../../src/tensor/dtype.js';
import { exampleCases } from '../../src/testing/conformance/cases.js';
import { differenceOf } from '../../src/testing/conformance/difference.js';
import { DEVICE_MODES, GPU_MODES, openOrSkip, type Opened } from '../support/gpuModes.js';
import { isLarge } from '../support/property.js';

for (const mode of GPU_MODES.filter((each) => isLarge() || each === 'cpu')) {
  describe(`the capabilities example of the seed on gpu, mode ${mode}`, function () {
    this.timeout(120_000);
    let opened: Opened;
    let backend: Backend;
    const isDevice = DEVICE_MODES.includes(mode);
    before(async function () {
      opened = await openOrSkip(this, mode);
      ({ backend } = opened);
    });
    after(() => opened?.close());

    it('E07: capabilities print devices, dtypes and features, and each claimed op runs (F003)', async () => {
      const caps = backend.capabilities;
      const printed = [
        `Devices: ${caps.devices.map(({ type, index }) => `${type}(${index})`).join(', ')}`,
        `DTypes: ${caps.dtypes.join(', ')}`,
        `Features: ${caps.features.join(', ')}`,
      ];
      expect(printed).to.deep.equal([
        `Devices: ${isDevice ? 'GPU(0)' : 'CPU(0)'}`,
        'DTypes: bool, int32, float32, float64',
        `Features: CodeGeneration${isDevice ? ', GPUAcceleration' : ''}`,
      ]);
      let ran = 0;
      for (const op of allOps()) {
        const [first] = exampleCases(op, 'float32');
        if (first === undefined || !supports(backend, first.graph).isFull) continue;
        const got = await evaluate(first.graph, first.feeds, { backend, fallback: 'never' });
        const want = await evaluate(first.graph, first.feeds, { backend: js() });
        expect(differenceOf(got['y'], want['y'], 1e-5), op.name).to.equal(undefined);
        ran++;
      }
      console.log(`      ${mode}: ${ran} of ${allOps().length} ops ran on float32`);
      expect(ran / allOps().length).to.be.at.least(0.9);
    });

    it('has an answer for every op and dtype, and another backend where it is no (F086)', () => {
      const table = supportTable(backend);
      expect(table).to.have.length(allOps().length * (COMPUTED_DTYPES.length + STORAGE_DTYPES.length));
      const no = table.filter(({ isNative, dtype }) => !isNative && dtype === 'float64');
      expect(no).to.not.have.length(0);
      for (const { alternatives, diagnostic } of no) if (alternatives.length > 0) expect(diagnostic!.code).to.equal('E002');
    });

    it('are plain data, with a summary of what was found when the backend was made (F087)', () => {
      const { capabilities } = backend;
      expect(JSON.parse(JSON.stringify(capabilities))).to.deep.equal(capabilities);
      expect(capabilities.features).to.not.include('SparseTensors');
      expect(capabilities.maxDims).to.be.at.least(8);
      expect(capabilities.maxTensorBytes).to.be.greaterThan(2 ** 24);
      const lines = summarize(capabilities).split('\n');
      expect(lines[0]).to.equal('gpu 1');
      expect(lines).to.include(`  devices  ${isDevice ? 'GPU:0' : 'CPU:0'}`);
      expect(lines).to.include(`  kernels  ${isDevice ? 'asynchronous' : 'synchronous'}`);
      expect(lines.join()).to.include(`gpu.js computes in its mode ${mode}`);
    });
  });
}
