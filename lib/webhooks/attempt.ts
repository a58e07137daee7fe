/** Why an attempt brought no answer. */
export type AttemptError = 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'signing';

/** What one attempt of a delivery came to. */
export interface Attempt {
  startedAt: Date;
  durationMs: number;
  /** Null without an answer. */
  httpStatus: number | null;
  errorCode: AttemptError | null;
  /** The first 1,000 characters of the answer. */
  response: string | null;
  /** What the receiver asked for in Retry-After, where that counts (429 and 503). */
  retryAfterSeconds: number | null;
}
