type Merchant = { name: string; email: string; password: string };

/**
 * Registers the demo merchant as any merchant would, over HTTP. One that is registered already is left as it is.
 *
 * @param url base URL of the running product
 * @returns false when registration is closed, so that the account may not exist
 * @throws {Error} when the product refuses for another reason
 */
export async function seedDemoMerchant(url: string, merchant: Merchant): Promise<boolean> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(merchant),
    signal: AbortSignal.timeout(15_000),
  });
  await response.body?.cancel();
  if (response.ok || response.status === 409) return true;
  if (response.status === 403) return false;
  throw new Error(`The demo merchant cannot be registered (${response.status}).`);
}
