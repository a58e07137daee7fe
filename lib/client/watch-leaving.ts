/**
 * Watches whether the browser starts to leave the page, by reload or by a link: it cuts off the page's open calls then,
 * before the page is gone, which says nothing about the server.
 * @returns `begun` tells whether it did since; `stop` ends the watch
 */
export function watchLeaving(): { begun: () => boolean; stop: () => void } {
  const watch = new AbortController();
  let hasBegun = false;
  for (const event of ['beforeunload', 'pagehide']) {
    window.addEventListener(
      event,
      () => {
        hasBegun = true;
      },
      { signal: watch.signal },
    );
  }
  return { begun: () => hasBegun, stop: () => watch.abort() };
}
