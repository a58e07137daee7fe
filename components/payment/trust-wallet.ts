import { COIN_INFO, type Coin } from '@/lib/shared/coins';

export interface TrustWalletPayment {
  coin: Coin;
  address: string;
  /** Whole coins, decimal text. */
  amount: string;
}

/** What the payer's surroundings allow: the page inside a shop's frame, a phone with the app, or a desktop. */
export type TrustWalletWay = 'frame' | 'ios' | 'android' | 'desktop';

export interface Surroundings {
  isFramed: boolean;
  userAgent: string;
  /** An iPad calls itself a Mac: only its touch screen gives it away. */
  maxTouchPoints: number;
}

const ANDROID_PACKAGE = 'com.wallet.crypto.trustapp';
const PLAY_STORE_URL = `https://play.google.com/store/apps/details?id=${ANDROID_PACKAGE}`;
const APP_STORE_URL = 'https://apps.apple.com/app/trust-crypto-bitcoin-wallet/id1288339409';
/** From the deep link to the app store. */
const APP_STORE_DELAY_MS = 1_000;

/** Chooses the way to open the wallet. A frame comes first: only the shop's page may navigate away. */
export function trustWalletWay({ isFramed, userAgent, maxTouchPoints }: Surroundings): TrustWalletWay {
  if (isFramed) return 'frame';
  if (/android/i.test(userAgent)) return 'android';
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios';
  if (/macintosh/i.test(userAgent) && maxTouchPoints > 1) return 'ios';
  return 'desktop';
}

/** Query of Trust Wallet's send screen; the asset is `c` and the coin id of the registry. */
function sendQuery({ coin, address, amount }: TrustWalletPayment): string {
  const asset = `c${COIN_INFO[coin].trustWalletId}`;
  return `asset=${asset}&address=${encodeURIComponent(address)}&amount=${encodeURIComponent(amount)}`;
}

/** iOS deep link into the send screen. */
export function iosLink(payment: TrustWalletPayment): string {
  return `trust://send?${sendQuery(payment)}`;
}

/** Android intent link; Chrome goes to the store by itself when the app is missing. */
export function androidLink(payment: TrustWalletPayment): string {
  const fallback = encodeURIComponent(PLAY_STORE_URL);
  return `intent://send?${sendQuery(payment)}#Intent;scheme=trust;package=${ANDROID_PACKAGE};S.browser_fallback_url=${fallback};end`;
}

/** Universal link, for a browser without scripts: it opens the app, or the page that offers it. */
export function universalLink(payment: TrustWalletPayment): string {
  return `https://link.trustwallet.com/send?${sendQuery(payment)}`;
}

/** Message for the page that frames ours. */
export function openWalletMessage({ coin, address, amount }: TrustWalletPayment) {
  return { type: 'open-wallet', coin, coinId: COIN_INFO[coin].trustWalletId, address, amount } as const;
}

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
