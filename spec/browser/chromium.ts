/**
 * @file Debian's chromium: found on the PATH, driven through a pipe, and ended with every process that it started.
 */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

export interface Chromium {
  readonly browser: Browser;
  /** Ids of the processes of this browser that are alive. */
  readonly processes: () => readonly number[];
  /** Resolves when none is left. */
  readonly end: () => Promise<void>;
}

/** WebGL and WebGPU run on SwiftShader, in software, so that a machine without a GPU has both. */
const FLAGS = [
  // Chromium refuses root its sandbox; the only page is our own.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
];

/** Where the first `chromium` of the PATH is, or undefined. */
export function findChromium(path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'chromium'))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function launchChromium(executablePath: string): Promise<Chromium> {
  const mark = `EINSTREAM_MARK=${randomUUID()}`;
  const [name, value] = mark.split('=');
  const server = await chromium.launchServer({ executablePath, args: FLAGS, env: { ...process.env, [name]: value } });
  const session = server.process().pid!;
  const processes = () => processesOf(session, mark);
  const browser = await chromium.connect(server.wsEndpoint());
  return {
    browser,
    processes,
    async end() {
      await browser.close();
      await server.close();
      for (const id of processes()) process.kill(id, 'SIGKILL');
    },
  };
}

/**
 * The browser leads a session of its own. Its crash handlers leave the session, but keep the environment; its renderers write
 * their titles over the environment, but stay in the session. Empty where there is no /proc.
 */
function processesOf(session: number, mark: string): readonly number[] {
  if (!existsSync('/proc')) return [];
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((id) => {
    // `id (name) state parent group session …`; one that ended, and that nobody asked for its status yet, is no process.
    const [state, , , leader] = read(`/proc/${id}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    if (state === undefined || state === '' || state === 'Z') return false;
    return Number(leader) === session || read(`/proc/${id}/environ`).split('\0').includes(mark);
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended meanwhile, or is another user's
  }
}
