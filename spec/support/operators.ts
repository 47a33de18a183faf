/**
 * @file Which public exports are operators, as the compiler sees them: functions that return an operator, at once or in a list.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from './sourceFiles.js';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  lib: ['lib.es5.d.ts'],
  types: [],
  skipLibCheck: true,
};

const isObservable = (type: ts.Type): boolean =>
  type.symbol?.name === 'Observable' || (type.aliasSymbol?.name ?? '').startsWith('Observable');

/** Takes an Observable alone and gives one. */
function isOperator(type: ts.Type, checker: ts.TypeChecker): boolean {
  return type.getCallSignatures().some((signature) => {
    const [source, ...others] = signature.parameters;
    return (
      source !== undefined &&
      others.length === 0 &&
      isObservable(checker.getTypeOfSymbol(source)) &&
      isObservable(checker.getReturnTypeOfSignature(signature))
    );
  });
}

/** An operator, or a list or record that holds one. */
function holdsOperator(type: ts.Type, checker: ts.TypeChecker, depth = 2): boolean {
  if (isOperator(type, checker)) return true;
  if (depth === 0 || (type.flags & ts.TypeFlags.Object) === 0) return false;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (element !== undefined) return holdsOperator(element, checker, depth - 1);
  if (type.getCallSignatures().length > 0 || type.isClass()) return false;
  return checker.getPropertiesOfType(type).some((property) => isOperator(checker.getTypeOfSymbol(property), checker));
}

/** Names of the exports of `entry` that return operators. `text` stands for the entry's own text, for tests of this file. */
export function operatorsOf(entry: string, text?: string): readonly string[] {
  const path = join(projectRoot, entry);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  if (text !== undefined) {
    host.fileExists = (file) => file === path || fileExists(file);
    host.readFile = (file) => (file === path ? text : readFile(file));
    host.getSourceFile = (file, target, ...rest) =>
      file === path ? ts.createSourceFile(file, text, target) : getSourceFile.call(host, file, target, ...rest);
  }
  const program = ts.createProgram([path], options, host);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(path)!)!;
  return checker
    .getExportsOfModule(module)
    .filter((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if ((target.flags & ts.SymbolFlags.Value) === 0) return false;
      const type = checker.getTypeOfSymbol(target);
      return type.getCallSignatures().some((signature) => {
        const returned = checker.getReturnTypeOfSignature(signature);
        return isOperator(type, checker) || holdsOperator(returned, checker);
      });
    })
    .map(({ name }) => name)
    .sort();
}
