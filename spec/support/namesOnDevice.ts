/**
 * @file A graph whose every text is one malicious name, on a device: right values, and not one shader more than for another name.
 */
import { expect } from 'chai';
import { constant, evaluate, graph, input, mul, named, param, softmax, sum, tensor, type Backend, type EinstreamError, type Graph } from '../../src/index.js'; // prettier-ignore
import { CANARY, MALICIOUS_NAMES } from './maliciousNames.js';
import type { RealDevice } from './realDevice.js';

const own = <T>(name: string, value: T): Readonly<Record<string, T>> => Object.fromEntries([[name, value]]);

/** Input, its size, param, constant, node and output. */
const graphOf = (name: string): Graph =>
  graph(
    { ...own(name, input([name])), ...own(`${name}w`, param(tensor([2]))), ...own(`${name}c`, constant(tensor([1, 1]))) },
    (all) => own(`${name}y`, named(name, sum(mul(mul(all[name], all[`${name}w`]), softmax(all[`${name}c`]))))),
  );

/** How many names were taken, and how many refused. */
export async function namesReachNothing(backend: Backend, { texts }: RealDevice): Promise<void> {
  const answerTo = async (name: string): Promise<number> => {
    const outputs = await evaluate(graphOf(name), own(name, [1, 2]), { backend, fallback: 'never' });
    return Number(outputs[`${name}y`].data[0]);
  };
  expect(await answerTo('x')).to.be.closeTo(3, 1e-5);
  const count = texts.length;
  let refused = 0;
  for (const name of MALICIOUS_NAMES) {
    const answer = await answerTo(name).catch((error: unknown) => (error as EinstreamError).code);
    if (typeof answer === 'string') {
      refused++;
      expect(answer, name.slice(0, 60)).to.match(/^E_/);
    } else expect(answer, name.slice(0, 60)).to.be.closeTo(3, 1e-5);
    expect(texts.length, `shaders after ${name.slice(0, 60)}`).to.equal(count);
    expect(CANARY in globalThis, name.slice(0, 60)).to.equal(false);
  }
  const telling = MALICIOUS_NAMES.filter((name) => /[^\w.]/.test(name) && name.trim().length > 3);
  for (const name of telling) for (const text of texts) expect(text.includes(name), name.slice(0, 60)).to.equal(false);
  console.log(`      ${MALICIOUS_NAMES.length} names, ${refused} refused; ${texts.length} shaders hold none of them`);
  expect(refused).to.be.lessThan(MALICIOUS_NAMES.length / 10);
  expect(count).to.be.greaterThan(0);
}
