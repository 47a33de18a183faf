/** @file Writes the list of public names that surface-spec compares with: run it when a change of the surface is meant. */
import { writeFileSync } from 'node:fs';
import { entryNames, listOf, surfaceOf } from './surface.js';

writeFileSync(new URL('./surface.json', import.meta.url), `${JSON.stringify(listOf(surfaceOf(entryNames())), null, 2)}\n`);
