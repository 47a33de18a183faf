/** @file Where text becomes code: one file, one place, and only text of the type that renderers alone make. */
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { canGenerate } from '../../src/codegen/generate.js';
import { projectRoot, sourceFiles } from '../support/sourceFiles.js';

/** Places where text may become code, as `what at line`. */
function codeFromText(path: string, text: string): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = suspicion(node);
    if (what !== undefined) found.push(`${what} at ${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const COMPILERS = /^(Function|eval|AsyncFunction|GeneratorFunction|runInThisContext|runInNewContext|compileFunction)$/;

function suspicion(node: ts.Node): string | undefined {
  // A type may be called Function; a value of that name is the compiler.
  if (ts.isIdentifier(node) && COMPILERS.test(node.text) && !ts.isTypeReferenceNode(node.parent)) return node.text;
  if (ts.isStringLiteralLike(node) && /^(node:)?(vm|inspector)$/.test(node.text)) {
    if (ts.isImportDeclaration(node.parent) || ts.isCallExpression(node.parent)) return `import of ${node.text}`;
  }
  if (ts.isCallExpression(node)) {
    const callee = node.expression;
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'constructor') return 'constructor()';
    if (ts.isIdentifier(callee) && /^set(Timeout|Interval|Immediate)$/.test(callee.text) && ts.isStringLiteralLike(node.arguments[0])) return callee.text; // prettier-ignore
    if (callee.kind === ts.SyntaxKind.ImportKeyword && !ts.isStringLiteral(node.arguments[0])) return 'import()';
  }
  return undefined;
}

/** Without one of these words, or an escape that may spell one, there is nothing to find; to read all files takes seconds. */
const HINT = new RegExp(
  `${COMPILERS.source.slice(1, -1)}|vm|inspector|constructor|set(Timeout|Interval|Immediate)|import\\s*\\(|import\\s*/|\\\\u`,
);

describe('text becomes code (J4)', () => {
  it('in one file of the engine, at one place', () => {
    const files = sourceFiles('src');
    const places = [...files].flatMap(([path, text]) => (HINT.test(text) ? codeFromText(path, text) : []));
    console.log(`      ${files.size} files, ${places.length} place where text becomes code`);
    expect(places, places.join()).to.have.length(1);
    expect(places[0]).to.match(/^Function at src\/codegen\/generate\.ts:/);
  });

  it('and the search for such places finds each way there is', () => {
    const ways = [
      'new Function("a")',
      'Function("a")()',
      'eval("a")',
      '(0, eval)("a")',
      'globalThis.eval("a")',
      'import { runInThisContext } from "node:vm"',
      'require("vm")',
      'f.constructor("a")',
      'setTimeout("a", 1)',
      'import(name)',
    ];
    for (const way of ways) expect([HINT.test(way), codeFromText('x.ts', way).length > 0], way).to.deep.equal([true, true]);
    expect(codeFromText('x.ts', 'const f: Function = () => "eval vm Function"; import("./x.js")')).to.deep.equal([]);
  });

  it('from text of the branded type, which only renderers make', () => {
    const path = join(projectRoot, 'src/codegen/generate.ts');
    const program = ts.createProgram([path], {
      noLib: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: [],
    });
    const checker = program.getTypeChecker();
    const types: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'Function') {
        types.push(...node.arguments!.map((argument) => checker.typeToString(checker.getTypeAtLocation(argument))));
      }
      ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(path)!);
    expect(types).to.deep.equal(['"F"', 'Emitted']);

    const vouching = [...sourceFiles('src')].filter(([, text]) => /\bemitted\(|as Emitted\b/.test(text)).map(([name]) => name);
    expect(vouching.filter((name) => !name.startsWith('src/codegen/render/'))).to.deep.equal([
      'src/codegen/emitted.ts',
      'src/codegen/generate.ts', // asks with "return 1" whether it is allowed
    ]);
  });

  it('where the platform allows it, as here', () => expect(canGenerate()).to.equal(true));
});
