import {
  APP_STORE_DELAY_MS,
  APP_STORE_URL,
  androidLink,
  iosLink,
  openWalletMessage,
  type TrustWalletPayment,
  type TrustWalletWay,
} from './trust-wallet';

/** Leaves for the wallet, or asks the framing page to. Must run inside the press itself: browsers demand it. */
export function openTrustWallet(way: Exclude<TrustWalletWay, 'desktop'>, payment: TrustWalletPayment): void {
  switch (way) {
    case 'frame':
      window.parent.postMessage(openWalletMessage(payment), parentOrigin());
      return;
    case 'android':
      window.location.assign(androidLink(payment));
      return;
    case 'ios':
      goToStoreUnlessHidden();
      window.location.assign(iosLink(payment));
  }
}

/**
 * Origin of the page that frames ours. `frame-ancestors` has already refused every origin that is not registered, so the
 * one that got through is the registered one, and the message is addressed to it exactly.
 */
function parentOrigin(): string {
  const [nearest] = Array.from(window.location.ancestorOrigins ?? []);
  if (nearest) return nearest;
  return document.referrer ? new URL(document.referrer).origin : window.location.origin;
}

/** The app did not open when the page is still seen after a second: then the app store is the way. */
function goToStoreUnlessHidden(): void {
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', stop);
  };
  const onHidden = () => document.hidden && stop();
  const timer = setTimeout(() => {
    stop();
    if (!document.hidden) window.location.assign(APP_STORE_URL);
  }, APP_STORE_DELAY_MS);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', stop);
}
