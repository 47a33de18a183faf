/**
 * @file A stack of the bundled script, in the lines of the files that it was made from.
 */
import { SourceMap } from 'node:module';

type Payload = ConstructorParameters<typeof SourceMap>[0];

/** Each place `…/specs.js:line:column` becomes the place in its source; `map` is the source map's text. */
export function mappedStack(stack: string, map: string): string {
  const source = new SourceMap(JSON.parse(map) as Payload);
  return stack.replace(/(?:https?:\/\/[^\s()]*\/)?specs\.js[^\s():]*:(\d+):(\d+)/g, (place, line: string, column: string) => {
    const entry = source.findEntry(Number(line) - 1, Number(column) - 1);
    return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : place;
  });
}
