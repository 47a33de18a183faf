/**
 * @file Finds the ```ts examples of a text, compiles them and runs them.
 *
 * `expression; // => value` is an assertion: a promise is awaited, an Observable is the list of its values, `// => throws E_SHAPE`
 * expects an error that says so, and after `….subscribe(console.log)` the values are those logged, separated by commas.
 * A `// =>` that stands where nothing would check it is an error.
 */
import { transformSync } from 'esbuild';
import { isObservable, lastValueFrom, toArray } from 'rxjs';
import ts from 'typescript';
import { matches, near, show } from './matches.js';

/** The code blocks marked `ts`, without their fences. */
export const examplesIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*```ts\n([\s\S]*?)^[ \t]*```/gm)].map((found) => found[1]);

const importLine = /^[ \t]*import\s+(type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+(['"][^'"]+['"]);?/gm;
const bindings = (names: string) => names.replace(/\btype\s+\w+,?/g, '').replace(/(\w+)\s+as\s+(\w+)/g, '$1: $2');
const asConstant = (_line: string, isType: string | undefined, names: string, from: string) =>
  isType ? '' : `const ${names.startsWith('*') ? names.replace(/\*\s+as\s+/, '') : bindings(names)} = await __import(${from});`;

const isConsoleLog = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.getText() === 'console.log';
const isSubscribe = (node: ts.Node) =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'subscribe';

/** `[0.5, 2]` → `[__near("0.5"), 2]`, so that a number is compared to the digits that it shows. */
function withNearNumbers(text: string): string {
  return text.replace(/(["'`])(?:\\.|(?!\1).)*\1|(?<![\w$.])-?\d*\.?\d+(?:e[+-]?\d+)?/gi, (found) =>
    /^["'`]/.test(found) || !/[.e]/i.test(found)
      ? found
      : found.startsWith('-')
        ? `__minus("${found.slice(1)}")`
        : `__near("${found}")`,
  );
}

function checkOf(statement: ts.Statement, expected: string): string | undefined {
  const wanted = JSON.stringify(expected);
  const value = expected.startsWith('throws') ? 'undefined' : withNearNumbers(expected);
  if (ts.isVariableStatement(statement)) {
    const [declaration] = statement.declarationList.declarations;
    return `${statement.getText()} await __check(async () => ${declaration.name.getText()}, () => (${value}), ${wanted});`;
  }
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  if (isSubscribe(expression)) return `${statement.getText()} await __logged(() => [${value}], ${wanted});`;
  const subject = isConsoleLog(expression) ? expression.arguments[0] : expression;
  return `await __check(async () => (${subject.getText()}), () => (${value}), ${wanted});`;
}

/** JavaScript for the body of an async function, with each assertion as a call; the number of assertions. */
export function compileExample(code: string): { readonly script: string; readonly assertions: number } {
  const text = `async function __example() {\n${code.replace(importLine, asConstant)}\n}`;
  const source = ts.createSourceFile('example.ts', text, ts.ScriptTarget.ES2022, true);
  const body = (source.statements[0] as ts.FunctionDeclaration).body!;
  let assertions = 0;
  const parts = body.statements.map((statement) => {
    const [, expected] = /^[ \t]*\/\/ => (.*)/.exec(text.slice(statement.end)) ?? [];
    const check = expected === undefined ? undefined : checkOf(statement, expected.trim());
    if (check !== undefined) assertions++;
    return check ?? statement.getText();
  });
  const written = code.match(/\/\/ =>/g)?.length ?? 0;
  if (written !== assertions)
    throw new Error(`${written - assertions} of ${written} "// =>" stand where nothing would check them:\n${code}`);
  const { code: plain } = transformSync(`async function __example() {\n${parts.join('\n')}\n}`, {
    loader: 'ts',
    target: 'es2022',
  });
  return { script: `${plain}\nreturn __example();`, assertions };
}

const settle = (value: unknown): unknown => (isObservable(value) ? lastValueFrom(value.pipe(toArray())) : value);

async function checkThrows(run: () => Promise<unknown>, wanted: string): Promise<void> {
  const fault = wanted.replace(/^throws\s*/, '');
  const error: unknown = await run().then(
    (value) => new Error(`nothing was thrown, the value is ${show(value)}`),
    (thrown: unknown) => thrown,
  );
  const said = `${(error as { code?: string }).code ?? ''} ${(error as Error).name} ${(error as Error).message}`;
  if (!said.includes(fault)) throw new Error(`expected "${fault}" to be thrown, but: ${said}`);
}

async function check(run: () => Promise<unknown>, expected: () => unknown, wanted: string): Promise<void> {
  if (wanted.startsWith('throws')) return checkThrows(async () => settle(await run()), wanted);
  const actual = await settle(await run());
  if (!matches(actual, expected())) throw new Error(`the example says ${wanted}, yet it is ${show(actual)}`);
}

/** Runs an example with `scope` in reach. `modules` gives what its imports name. Resolves to the number of assertions, rejects on a wrong one. */
export async function runExample(
  code: string,
  scope: Readonly<Record<string, unknown>>,
  modules: (name: string) => Promise<unknown>,
): Promise<number> {
  const { script, assertions } = compileExample(code);
  const lines: unknown[] = [];
  const logged = async (expected: () => unknown[], wanted: string) => {
    const values = expected();
    for (let turn = 0; turn < 50 && lines.length < values.length; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
    if (!matches(lines.splice(0), values)) throw new Error(`the example says ${wanted} is logged, which is not what was logged`);
  };
  const own = {
    console: { ...console, log: (value: unknown) => void lines.push(value) },
    __check: check,
    __logged: logged,
    __near: near,
    __minus: (text: string) => negated(near(text)),
    __import: modules,
  };
  // Exports may have names that no variable can have; an example reaches those through an import only.
  const { default: _default, var: _var, ...named } = scope;
  const all = { ...named, ...own };
  await (new Function(...Object.keys(all), script)(...Object.values(all)) as Promise<void>);
  return assertions;
}

const negated = (value: ReturnType<typeof near>) =>
  typeof value === 'number'
    ? -value
    : Object.assign(Object.create(Object.getPrototypeOf(value) as object), value, { value: -value.value });
