/**
 * @file The page: one demo at a time. Going to another one unsubscribes from this one, and nothing of it stays.
 */
import { distinctUntilChanged, fromEvent, map, startWith, switchMap } from 'rxjs';
import { digitsView } from './digits/view.js';
import { streamView } from './stream/view.js';
import { show } from './ui/view.js';

const VIEWS = { '#stream': streamView, '#digits': digitsView } as const;
type Address = keyof typeof VIEWS;

const main = document.querySelector('main')!;
const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];

const address$ = fromEvent(window, 'hashchange').pipe(
  startWith(undefined),
  map(() => (location.hash in VIEWS ? (location.hash as Address) : '#stream')),
  distinctUntilChanged(),
);

address$
  .pipe(
    switchMap((address) => {
      for (const link of links) link.ariaCurrent = link.hash === address ? 'page' : null;
      document.title = `${links.find(({ hash }) => hash === address)!.textContent} · einstream`;
      return show(main, VIEWS[address]);
    }),
  )
  .subscribe();
