/** @file Packs the project as it would be published, and installs the tarball in an empty folder, without a network. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToSuccess } from './runProcess.js';
import { projectRoot } from './sourceFiles.js';

/** A tarball and what is in it. */
export interface Packed {
  readonly tarball: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes of the tarball, and of its files. */
  readonly size: number;
  readonly unpackedSize: number;
}

/** Builds `dist` and packs the project into `folder`. */
export function packInto(folder: string): Packed {
  runToSuccess(process.execPath, ['build.config.js']);
  const [packed] = JSON.parse(runToSuccess('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])) as [
    Packed & { readonly filename: string },
  ];
  return { ...packed, tarball: join(folder, packed.filename) };
}

/**
 * Installs `tarball` into the new folder `consumer` as a user would, with nothing optional.
 * Its dependencies are packed from this checkout, so that npm finds every version it needs without asking a registry.
 */
export function installInto(consumer: string, tarball: string): void {
  const vendor = `${consumer}-vendor`;
  for (const folder of [consumer, vendor]) mkdirSync(folder);
  const sources = ['rxjs', 'immer', 'tslib'].map((name) => join(projectRoot, 'node_modules', name));
  runToSuccess('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', vendor, ...sources]);
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "name": "consumer", "version": "1.0.0" }\n');
  const tarballs = [tarball, ...readdirSync(vendor).map((name) => join(vendor, name))];
  runToSuccess('npm', ['install', '--offline', '--ignore-scripts', '--omit=optional', '--no-audit', ...tarballs], {
    cwd: consumer,
  });
}
