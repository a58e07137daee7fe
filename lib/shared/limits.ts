/** Fixed figures of the product, each in one place. */
export const EXPIRY_MINUTES = [5, 15, 30, 60, 120, 360, 720, 1440] as const;
export type ExpiryMinutes = (typeof EXPIRY_MINUTES)[number];
export const DEFAULT_EXPIRY_MINUTES: ExpiryMinutes = 60;

export const INVOICE_PAGE_SIZE = 10;
export const MAX_PAGE_SIZE = 100;
export const RECENT_INVOICES = 5;

export const REQUEST_TIMEOUT_MS = 90_000;
export const PAYMENT_POLL_MS = 15_000;
/**
 * How many event streams one web process keeps open at once. A shop's customers behind one address need some; whoever is
 * refused still gets the news by the pay page's poll.
 */
export const STREAM_CAPS = { perAddress: 50, perInvoice: 20, inAll: 1_000 } as const;
export const SEARCH_DEBOUNCE_MS = 300;
export const COPIED_MS = 2_000;
export const TOAST_MS = 5_000;

/** A JSON body larger than this is refused before it is read. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Arrays and objects inside each other, in a body; ours have two. */
export const MAX_JSON_DEPTH = 32;
/** Values in a body; ours have six. */
export const MAX_JSON_VALUES = 1_000;
/** A body that is not complete by then is given up. */
export const BODY_DEADLINE_MS = 15_000;

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
export const MAX_NAME_LENGTH = 100;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_DESCRIPTION_LENGTH = 500;
export const MAX_EXTERNAL_CODE_LENGTH = 100;
export const MAX_WEBHOOK_URL_LENGTH = 2048;

/**
 * What one merchant may use of what all share, unless the operator says otherwise (MAX_INVOICES_PER_MINUTE,
 * MAX_OPEN_INVOICES, MAX_ACTIVE_API_KEYS). A real shop never meets them; a loop gone wild or a stolen key does.
 */
export const QUOTAS = {
  /**
   * Invoices that take an address: five sales a second, minute after minute. A whole minute's worth at once leaves two
   * fifths of the address pool (500) to the others until it is filled again, a second later.
   */
  invoicesPerMinute: 300,
  /** Pending invoices at once: two weeks of a shop with 700 orders a day could all be open. Each is an address to watch. */
  openInvoices: 10_000,
  /** One for each till, branch and site. An invoice made on screen notifies every one of them. */
  activeApiKeys: 50,
} as const;

/**
 * Lists that are no pages are cut to this many: the transfers of a wallet and of an invoice, the changes of its status.
 * Strangers can send as many as they like.
 */
export const MAX_LISTED = 100;

/**
 * Addresses of a key that are taken out of use at least when a database was restored, because its backup does not know whether
 * they were given away; a tenth of it for keys that issue little. Four times the pool that is kept ready. What was issued at the
 * measured rate since the backup is added three times (`begin_restore()` in prisma/migrations).
 */
export const BURNED_AT_LEAST = 2_000;

/** A session that nobody uses ends after so many minutes, unless the operator says otherwise (SESSION_IDLE_MINUTES): 12 hours, so that a till is signed in once a day. */
export const SESSION_IDLE_MINUTES = 12 * 60;

/** A rate up to this age may still price an invoice. */
export const MAX_RATE_AGE_SECONDS = 300;
/** A rate that claims to be from further in the future than this is none (`check_price()` in the migrations says the same). */
export const MAX_RATE_AHEAD_SECONDS = 5;
/** A value in EUR is shown with a rate up to this age. */
export const MAX_SHOWN_RATE_AGE_SECONDS = 600;

/** A coin whose chain was not looked at for this long has no working watcher: nothing is sold in it, and payers get the time. */
export const WATCHER_STALE_SECONDS = 60;

/** Days for which something that is over is kept; the dispatcher's housekeeping carries it out. */
export const KEPT_DAYS = {
  /** Webhook deliveries with their attempts, since they were delivered, given up or cancelled. */
  webhookDeliveries: 90,
  /** Who revealed an API key, and when. */
  keyAudits: 730,
  /** Times in which no watcher read a chain, where no invoice was open. */
  outages: 90,
  /** To whom and what of a mail, since it was sent or given up. The row itself stays: no mail is sent twice. */
  mailContents: 90,
} as const;

export const QR_SIZE_PX = 180;

/** How long a paid invoice whose blocks were orphaned waits for them to return, in chain time. */
export const REVERSAL_SECONDS = 24 * 3600;
