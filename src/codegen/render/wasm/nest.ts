/**
 * @file Maps and folds as WebAssembly: the nest's loops around vectors along one axis.
 */
import type { NestIR } from '../../ir.js';
import { renderAcross } from './across.js';
import { renderAlong } from './along.js';
import { columnScratch, renderColumns } from './columns.js';
import { accumulatorKind } from './fold.js';
import { importOf } from './imports.js';
import { importsOf } from './functions.js';
import type { Target, WasmKernel } from './kernel.js';
import type { ImportedFunction, ModuleSource } from './module.js';
import { planNest, type NestPlan } from './plan.js';
import { pooled } from './pool.js';
import { furtherWords } from './further.js';
import { renderTurned } from './turned.js';
import { openWalk, walkWords } from './walk.js';

const RENDER = { across: renderAcross, along: renderAlong, columns: renderColumns, turned: renderTurned };

export function renderNest(given: NestIR, target: Target): WasmKernel {
  const { plan, ir, count, key } = planNest(given);
  const strides = [...ir.inputs, ir.output].map((access) => access.strides);
  return {
    key,
    source: () => sourceOf(plan, target),
    words: [...walkWords(ir.extents, strides, plan.dtypes, count), ...furtherWords(ir)],
    scratch: plan.form === 'columns' ? columnScratch(plan) : 0,
  };
}

function sourceOf(plan: NestPlan, target: Target): ModuleSource {
  return {
    memory: target.memory,
    imports: nestImports(plan),
    functions: [
      {
        name: 'run',
        params: ['i32'],
        body: (scope) => {
          const { walk, code } = openWalk(plan, scope);
          const pool = pooled(scope);
          const pieces = { walk, place: { kind: plan.kind, scope: pool.scope, target }, fresh: pool.reuse };
          return [code, RENDER[plan.form](plan, pieces)];
        },
      },
    ],
  };
}

function nestImports(plan: NestPlan): readonly ImportedFunction[] {
  const finishes = plan.finishes.map((list, at) => importsOf(accumulatorKind(plan.folds[at]), list ?? []));
  const lists = [
    ...plan.values.map((list) => importsOf(plan.kind, list)),
    ...finishes,
    ...[plan.result, ...plan.further].map((list) => importsOf(plan.resultKind, list)),
  ];
  const products = plan.folds.some(({ monoid, wraps }) => monoid === 'prod' && wraps) ? [importOf('integer', 'mul')] : [];
  return [...new Map([...lists.flat(), ...products].map((made) => [made.name, made])).values()];
}
