import '/work/grad/src/index.js';
import { allOps } from '/work/grad/src/ops/registry.js';
console.log(allOps().map(o=>o.name+(o.vjp?'':'!')).join(' '));
