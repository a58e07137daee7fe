import ipaddr from 'ipaddr.js';
import { AppError } from '@/lib/shared/errors';
import { isPublicAddress, loopbackAddresses, urlHostname } from './host-address';
import type { WebhookUrlPolicy } from './webhook-url-policy';

/** Ports on which public receivers of webhooks listen; any other would make us knock at somebody's mail or database server. */
const PUBLIC_PORTS = new Set(['', '443', '8443']);
/** Names that never leave a machine or a local network. */
const PRIVATE_SUFFIX = /\.(localhost|local|internal|lan|intranet|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

const REASONS = {
  malformed: 'Il webhook deve essere un URL valido.',
  credentials: "L'URL del webhook non può contenere nome utente o password.",
  scheme: "L'URL del webhook deve iniziare con https://.",
  port: 'Il webhook può usare soltanto le porte 443 e 8443.',
  ownPort: "Il webhook non può puntare alle porte dell'applicazione stessa.",
  host: 'Il webhook deve puntare a un indirizzo pubblico su Internet.',
} as const;
type Reason = keyof typeof REASONS;

/**
 * What can be said of a webhook URL without asking a resolver: https to a public host on port 443 or 8443, or, where the
 * policy allows loopback, http or https to a loopback host on any port that is not refused. The delivery checks the host's
 * addresses again, each time.
 * @returns the refusal, with an Italian reason, or null when the URL is fine
 */
export function checkWebhookUrl(url: string, policy: WebhookUrlPolicy): AppError | null {
  const reason = refusal(url, policy);
  if (!reason) return null;
  const detail = REASONS[reason];
  return new AppError('webhook_url_refused', {
    message: detail,
    errors: [{ pointer: '/webhookUrl', code: 'webhook_url_refused', detail }],
  });
}

function refusal(text: string, policy: WebhookUrlPolicy): Reason | null {
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username || url.password) return 'credentials';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  const hostname = urlHostname(url);
  if (policy.allowLoopback && loopbackAddresses(hostname)) return loopbackRefusal(url, policy);
  if (!isPublicHost(hostname)) return 'host';
  if (url.protocol !== 'https:') return 'scheme';
  return PUBLIC_PORTS.has(url.port) ? null : 'port';
}

function loopbackRefusal(url: URL, policy: WebhookUrlPolicy): Reason | null {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return policy.refusedPorts.includes(port) ? 'ownPort' : null;
}

function isPublicHost(hostname: string): boolean {
  if (ipaddr.isValid(hostname)) return isPublicAddress(hostname);
  return hostname.includes('.') && !hostname.endsWith('.') && !PRIVATE_SUFFIX.test(hostname);
}
