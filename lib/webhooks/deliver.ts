import { Webhook } from 'standardwebhooks';
import { sealContext } from '@/lib/api-keys/seal-context';
import { checkWebhookUrl } from '@/lib/security/check-webhook-url';
import { type PinnedAnswer, pinnedRequest } from '@/lib/security/pinned-request';
import { RefusedAddressError, type ResolveName, resolveWebhookHost } from '@/lib/security/resolve-webhook-host';
import { openSealed } from '@/lib/security/seal';
import type { WebhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import { parseRetryAfter } from '@/lib/shared/retry-after';
import type { Clock } from '@/lib/shared/time';
import { untilAborted } from '@/lib/shared/until-aborted';
import type { Attempt, AttemptError } from './attempt';
import type { ClaimedDelivery } from './repository';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const KEPT_CHARACTERS = 1_000;
const THROTTLED = new Set([429, 503]);

export interface DeliveryTools {
  /** APP_SEAL_KEY. */
  sealKey: Uint8Array;
  policy: WebhookUrlPolicy;
  clock: Clock;
  /** The process is to end: an attempt under way is broken off and counts for nothing. */
  stop: AbortSignal;
  /** Name resolution; the system's name servers when left out. */
  resolveName?: ResolveName;
}

/** A claimed delivery with what is sent, and where to. */
export type AddressedDelivery = ClaimedDelivery & { url: string; body: string };

/** A failure whose kind is known. */
class AttemptFailure extends Error {
  constructor(
    readonly code: AttemptError,
    cause: unknown,
  ) {
    super(code, { cause });
  }
}

/**
 * Makes one attempt: signs the body per Standard Webhooks and POSTs it to an address that was checked just now.
 * @returns what it came to, or null when the process is to end and the attempt was broken off
 */
export async function deliver(delivery: AddressedDelivery, tools: DeliveryTools): Promise<Attempt | null> {
  const startedAt = tools.clock();
  const start = performance.now();
  const signal = AbortSignal.any([tools.stop, AbortSignal.timeout(TIMEOUT_MS)]);
  const ended = () => ({ startedAt, durationMs: Math.round(performance.now() - start) });
  try {
    const answer = await post(delivery, startedAt, signal, tools);
    const retryAfter = THROTTLED.has(answer.status) ? parseRetryAfter(answer.retryAfter, tools.clock()) : null;
    const response = toStoredText(answer.text);
    return { ...ended(), httpStatus: answer.status, errorCode: null, response, retryAfterSeconds: retryAfter };
  } catch (error) {
    if (tools.stop.aborted) return null;
    const errorCode = signal.aborted ? 'timeout' : codeOf(error);
    return { ...ended(), httpStatus: null, errorCode, response: null, retryAfterSeconds: null };
  }
}

async function post(
  delivery: AddressedDelivery,
  startedAt: Date,
  signal: AbortSignal,
  { policy, resolveName, sealKey }: DeliveryTools,
): Promise<PinnedAnswer> {
  const headers = signedHeaders(delivery, startedAt, sealKey);
  const refused = checkWebhookUrl(delivery.url, policy);
  if (refused) throw new AttemptFailure('refused_address', refused);
  const url = new URL(delivery.url);
  const addresses = await untilAborted(resolveWebhookHost(url, policy, resolveName), signal).catch((error) => {
    throw new AttemptFailure(error instanceof RefusedAddressError ? 'refused_address' : 'dns', error);
  });
  return pinnedRequest({ url, addresses, headers, body: delivery.body, signal, maxResponseBytes: MAX_RESPONSE_BYTES });
}

/** A secret that is empty or does not open fails here: nothing is ever sent unsigned. */
function signedHeaders(delivery: AddressedDelivery, at: Date, sealKey: Uint8Array): Record<string, string> {
  try {
    const secret = openSealed(delivery.secretSealed, sealKey, sealContext('secret', delivery.keyUuid)).toString('utf8');
    return {
      'content-type': 'application/json',
      'user-agent': 'Incassa-Webhook/1',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(delivery.id, at, delivery.body),
    };
  } catch (error) {
    throw new AttemptFailure('signing', error);
  }
}

function codeOf(error: unknown): AttemptError {
  if (error instanceof AttemptFailure) return error.code;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.includes('TIMEOUT')) return 'timeout';
  return /CERT|SSL|TLS|EPROTO|UNABLE_TO/.test(code) ? 'tls' : 'connection';
}

/** Postgres keeps no NUL character. */
function toStoredText(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).replaceAll('\0', '\uFFFD');
}
