/** @file Gradients of one's own: of functions of operands, and of ops that a user defines. */
import { expect } from 'chai';
import {
  backward,
  customGradient,
  defineOp,
  EinstreamError,
  evaluateSync,
  exp,
  gradient,
  graph,
  hvp,
  input,
  mul,
  neg,
  parseGraph,
  round,
  s,
  serializeGraph,
  sin,
  sum,
  tensor,
  variable,
} from '../../src/index.js';
import type { Operand } from '../../src/ops/interpreter.js';
import { checkGradients } from '../../src/testing.js';
import { unregister } from '../../src/ops/registry.js';

const straight = customGradient('specStraight', (x) => round(x), (dy) => [dy]); // prettier-ignore
/** x·y with the slopes of x·y³: forward and rule disagree, so whose gradient it is shows. */
const cubed = customGradient('specCubed', (x, y) => mul(x, y), (dy, [x, y]) => {
  const square = mul(y, y);
  return [mul(dy, mul(square, y)), mul(dy, mul(mul(3, x), square))];
}); // prettier-ignore
const wrongSign = customGradient('specWrongSign', (x) => sin(x), (dy, [x], y) => [neg(mul(dy, sum(mul(x, y))))]); // prettier-ignore

const g = graph({ x: input([2]), y: input([2]) }, ({ x, y }) => ({ z: sum(cubed(x, y)) }));
const feeds = { x: [1, 2], y: [3, -1] };

describe('customGradient (F012)', () => {
  it('gives what forward gives, on tensors, symbols and variables', () => {
    expect(straight(tensor([0.4, 1.6])).toArray()).to.deep.equal([0, 2]);
    expect(evaluateSync(g, feeds).z.toArray()).to.equal(1);
    expect(cubed(variable(tensor([2])), variable(tensor([5]))).toArray()).to.deep.equal([10]);
  });

  it('gives the gradients that the rule gives, in a graph and on variables', () => {
    const slopes = evaluateSync(gradient(g, { of: 'z', wrt: ['x', 'y'] }), feeds);
    expect([slopes.x.toArray(), slopes.y.toArray()]).to.deep.equal([[27, -1], [27, 6]]); // prettier-ignore
    const [x, y] = [variable(tensor([1, 2])), variable(tensor([3, -1]))];
    backward(sum(cubed(x, y)));
    expect([x.grad!.toArray(), y.grad!.toArray()]).to.deep.equal([[27, -1], [27, 6]]); // prettier-ignore
  });

  it('is differentiated again through the ops of its rule', () => {
    const second = evaluateSync(hvp(g, { of: 'z', wrt: ['x', 'y'] }), {
      ...feeds,
      'x.direction': [1, 0],
      'y.direction': [0, 1],
    });
    // By x: y³ along x and 3xy² along y give 3y² for the second pair; by y: 3y² for the first, 6xy for the second.
    expect([second.x.toArray(), second.y.toArray()]).to.deep.equal([[0, 3], [27, -12]]); // prettier-ignore
  });

  it('records nothing of what forward did on the way', () => {
    const opaque = customGradient('specOpaque', (x) => exp(round(exp(x))), (dy) => [dy]); // prettier-ignore
    const x = variable(tensor([0.2]));
    expect(
      backward(sum(opaque(x)))
        .of(x)
        .toArray(),
    ).to.deep.equal([1]);
  });

  it('passes nothing to an operand that the rule leaves out', () => {
    const first = customGradient('specFirst', (x, y) => mul(x, y), (dy) => [dy]); // prettier-ignore
    const h = graph({ x: input([1]), y: input([1]) }, ({ x, y }) => ({ z: sum(first(x, y)) }));
    const slopes = evaluateSync(gradient(h, { of: 'z', wrt: ['x', 'y'] }), { x: [2], y: [3] });
    expect([slopes.x.toArray(), slopes.y.toArray()]).to.deep.equal([[1], [0]]);
  });

  it('has its gradients in a graph that was written and read again', () => {
    const again = parseGraph(serializeGraph(g));
    expect(evaluateSync(gradient(again, { of: 'z', wrt: ['x'] }), feeds).x.toArray()).to.deep.equal([27, -1]);
    const unknown = parseGraph(serializeGraph(g).replace('specCubed', 'specUnheardOf'));
    expect(evaluateSync(unknown, feeds).z.toArray()).to.equal(1);
    expect(() => gradient(unknown, { of: 'z', wrt: ['x'] })).to.throw(EinstreamError, /"specUnheardOf" must be defined/);
  });

  it('is held against finite differences as any other, and a wrong sign is found', () => {
    const h = graph({ x: input([3]) }, ({ x }) => ({ y: wrongSign(x) }));
    const report = checkGradients(h, { x: [0.3, 0.7, 1.1] });
    expect(report.passed).to.equal(false);
    expect(report.differences[0].parameter).to.equal('x');
  });

  it('refuses a second rule of one name, and what is no function or no operand', () => {
    const rule = (dy: Operand): readonly Operand[] => [dy];
    const refused = (act: () => unknown, text: RegExp): void => void expect(act).to.throw(EinstreamError, text);
    refused(() => customGradient('specStraight', (x) => x, rule), /"specStraight" is taken/);
    refused(() => customGradient('', (x) => x, rule), /a rule has a name/);
    refused(() => customGradient('specNoForward', 1 as never, rule), /forward is a function/);
    refused(() => customGradient('specNoRule', (x) => x, undefined as never), /the rule is a function/);
    refused(() => customGradient('specNoOperand', () => 'x' as never, rule)(tensor([1])), /forward gives one operand/);
    const many = customGradient('specMany', (x) => x, (dy) => [dy, dy]); // prettier-ignore
    refused(
      () =>
        gradient(
          graph({ x: input([]) }, ({ x }) => ({ y: many(x) })),
          { of: 'y', wrt: ['x'] },
        ),
      /specMany.*expected 1 at most, got 2/,
    );
  });
});

const defineScaled = () =>
  defineOp<1, { readonly by: number }>({
    name: 'specScaledSquare',
    doc: 'by · x².',
    arity: 1,
    params: { by: (value, refuse) => (typeof value === 'number' ? value : refuse('a number')) },
    dtype: ([x]) => x,
    shape: ([x]) => x,
    exprFor:
      ({ by }) =>
      (x) =>
        s.mul(by, s.mul(x, x)),
    vjp: (dy, [x], _y, ops, { by }) => [ops['mul'](dy, ops['mul'](2 * by, x))],
    examples: [{ inputs: [[2]], params: { by: 3 }, output: [12] }],
  });

const defineBare = () =>
  defineOp({
    name: 'specBare',
    doc: 'x³, without a rule.',
    arity: 1,
    dtype: ([x]) => x,
    shape: ([x]) => x,
    expr: (x) => s.mul(x, s.mul(x, x)),
    examples: [[2, 8]],
  });

describe('the vjp of an op that a user defines', () => {
  let scaled: ReturnType<typeof defineScaled>;
  let bare: ReturnType<typeof defineBare>;
  // Only while these run: specs of all ops must not meet them.
  before(() => void ([scaled, bare] = [defineScaled(), defineBare()]));
  after(() => [scaled, bare].forEach(({ definition }) => unregister(definition)));

  it('is used in graphs, on variables, to second order, and agrees with finite differences', () => {
    const h = graph({ x: input([2]) }, ({ x }) => ({ y: sum(scaled(x, { by: 3 })) }));
    expect(evaluateSync(gradient(h, { of: 'y', wrt: ['x'] }), { x: [1, 2] }).x.toArray()).to.deep.equal([6, 12]);
    const x = variable(tensor([1, 2]));
    backward(sum(scaled(x, { by: 3 })));
    expect(x.grad!.toArray()).to.deep.equal([6, 12]);
    const bend = evaluateSync(hvp(h, { of: 'y', wrt: ['x'] }), { x: [1, 2], 'x.direction': [1, 10] });
    expect(bend.x.toArray()).to.deep.equal([6, 60]);
    expect(checkGradients(h, { x: [1, 2] }).passed).to.equal(true);
  });

  it('is missed by name, op and path where there is none', () => {
    const h = graph({ x: input([2]), w: input([2]) }, ({ x, w }) => ({ y: sum(mul(w, bare(exp(x)))) }));
    const asked = () => gradient(h, { of: 'y', wrt: ['x'] });
    expect(asked).to.throw(EinstreamError, /specBare_3.*op specBare has no rule for gradients.*exp_2/s);
    expect(evaluateSync(gradient(h, { of: 'y', wrt: ['w'] }), { x: [0, 0], w: [1, 1] }).w.toArray()).to.deep.equal([1, 1]);
    const x = variable(tensor([1]));
    expect(() => backward(sum(bare(x)))).to.throw(EinstreamError, /op specBare has no rule for gradients/);
  });
});
