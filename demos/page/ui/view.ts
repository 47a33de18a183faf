/**
 * @file A view is on the page while it is subscribed to.
 */
import { defer, finalize, type Observable } from 'rxjs';

export interface View {
  readonly root: HTMLElement;
  /** All that the view does. */
  readonly life$: Observable<never>;
}

/** Makes the view and lives it; it goes from the page when it is unsubscribed from. */
export const show = (host: HTMLElement, make: () => View): Observable<never> =>
  defer(() => {
    const { root, life$ } = make();
    host.replaceChildren(root);
    return life$.pipe(finalize(() => root.remove()));
  });
