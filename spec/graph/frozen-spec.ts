/** @file Graphs are read the same way when Object.prototype is frozen, as hardened environments do (G3). */
import { isLarge } from '../support/property.js';
import { expect } from 'chai';
import { runProcess } from '../support/runProcess.js';

const program = `
const { parseGraph } = await import('./src/graph/formats/parse.ts');
const { serializeGraph } = await import('./src/graph/formats/serialize.ts');
const { keysOf } = await import('./src/graph/keys.ts');
Object.freeze(Object.prototype);
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const text = JSON.stringify({ tensors: names, nodes: names.slice(1).map((_, k) => ({ op: { ElemUnary: { op: 'abs' } }, inputs: [k], outputs: [k + 1] })), inputs: [0], outputs: [3] });
console.log(JSON.stringify(keysOf(parseGraph(serializeGraph(parseGraph(text))))));
`;

if (isLarge()) {
  describe('a frozen Object.prototype (G3)', () => {
    it('changes nothing', function () {
      this.timeout(60_000);
      const { status, stdout, stderr } = runProcess(
        process.execPath,
        ['--import', './spec/support/ts-node-register.mjs', '--input-type=module', '--eval', program],
        { env: { TS_NODE_TRANSPILE_ONLY: '1' } },
      );
      expect([status, stdout.trim()], stderr).to.deep.equal([0, '["__proto__","constructor","toString","hasOwnProperty"]']);
    });
  });
}
