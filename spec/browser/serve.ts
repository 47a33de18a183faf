/**
 * @file A web server for one page, on loopback alone.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  readonly type: 'text/html' | 'text/javascript';
  readonly text: string;
}

export interface Server {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Serves what `files` holds by path, each with `headers`; anything else is 404. */
export async function serve(files: ReadonlyMap<string, Served>, headers: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = files.get(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (file === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8` }).end(file.text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
