import { describe, expect, it } from 'vitest';
import { androidLink, iosLink, openWalletMessage, trustWalletWay, universalLink } from './trust-wallet';

const payment = { coin: 'BNB', address: '0xAb', amount: '0.20009433' } as const;
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const PIXEL = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

describe('trustWalletWay', () => {
  it.each([
    [IPHONE, 5, false, 'ios'],
    [MAC, 5, false, 'ios'],
    [MAC, 0, false, 'desktop'],
    [PIXEL, 5, false, 'android'],
    [IPHONE, 5, true, 'frame'],
    [MAC, 0, true, 'frame'],
  ] as const)('[S2.12-31..35] %s, %i touch points, framed %s: %s', (userAgent, maxTouchPoints, isFramed, way) => {
    expect(trustWalletWay({ userAgent, maxTouchPoints, isFramed })).toBe(way);
  });
});

describe('Trust Wallet links', () => {
  it('[S2.12-32] opens the send screen on iOS', () => {
    expect(iosLink(payment)).toBe('trust://send?asset=c20000714&address=0xAb&amount=0.20009433');
  });

  it('[S2.12-34] is an intent for the app on Android, with the store as fallback', () => {
    expect(androidLink(payment)).toMatch(
      /^intent:\/\/send\?asset=c20000714&.*#Intent;scheme=trust;package=com\.wallet\.crypto\.trustapp;S\.browser_fallback_url=https%3A%2F%2Fplay\.google\.com.*;end$/,
    );
  });

  it('has a universal link for a page without scripts', () => {
    expect(universalLink(payment)).toMatch(/^https:\/\/link\.trustwallet\.com\/send\?asset=c20000714&/);
  });

  it.each([
    ['TRX', 195],
    ['ETH', 60],
    ['BNB', 20000714],
    ['TON', 607],
    ['LTC', 2],
  ] as const)('[S2.12-31] [S2.12-37..41] tells the framing page coin %s with id %i', (coin, coinId) => {
    expect(openWalletMessage({ ...payment, coin })).toEqual({
      type: 'open-wallet',
      coin,
      coinId,
      address: '0xAb',
      amount: '0.20009433',
    });
  });
});
