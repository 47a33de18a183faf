import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

// ts-node checks the types of each file. Where that was done already, esbuild is many times faster.
if (process.env.TS_NODE_TRANSPILE_ONLY === '1') register('./transpile-hooks.mjs', import.meta.url);
// Resolved from the project's root, where mocha starts.
else register('ts-node/esm', pathToFileURL('./'));
