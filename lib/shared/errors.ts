import { MESSAGES } from './messages';

/** Every refusal that the product knows: stable code → HTTP status. One list for server and documentation. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 422,
  body_too_large: 413,
  unsupported_media_type: 415,
  unauthorized: 401,
  invalid_credentials: 401,
  invalid_api_key: 401,
  forbidden: 403,
  registration_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_taken: 409,
  wallet_exists: 409,
  coin_already_chosen: 409,
  invoice_not_payable: 409,
  email_already_set: 409,
  force_not_allowed: 409,
  nothing_to_resolve: 409,
  not_unattributed: 409,
  api_key_inactive: 409,
  amount_too_small: 422,
  coin_not_enabled: 422,
  webhook_url_refused: 422,
  too_many_requests: 429,
  too_many_streams: 429,
  invoice_rate_exceeded: 429,
  open_invoices_exceeded: 429,
  api_keys_exceeded: 429,
  internal_error: 500,
  too_busy: 503,
  service_unavailable: 503,
  rate_unavailable: 503,
  chain_unavailable: 503,
  no_address_available: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One field that is wrong: JSON pointer into the body (or parameter name), machine code, Italian text. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

export interface AppErrorOptions {
  /** Italian text for people; the code's own text when left out. */
  message?: string;
  errors?: FieldError[];
  /** Seconds after which a retry makes sense (429 and 503). */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal with a stable code and an Italian message. Anything else that is thrown is a fault of ours (500). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? MESSAGES.errors[code], { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** HTTP status of the code. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
