/**
 * @file Tasks that kept the main thread from answering for 50 ms or more, as the browser measures them.
 */
import { Observable } from 'rxjs';

/** Milliseconds of each long task; silent where the browser does not tell. */
export const longTasks$ = new Observable<number>((subscriber) => {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) subscriber.next(duration);
  });
  observer.observe({ type: 'longtask' });
  return () => observer.disconnect();
});
