import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

// Resolved from the project's root, where mocha starts.
register('ts-node/esm', pathToFileURL('./'));
