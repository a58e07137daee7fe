import type { Problem } from '@/lib/api-schema/problem';

interface ApiErrorFacts {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Code of the problem answer, or `timeout`, `network_error`, `invalid_response`. */
  code: string;
  /** Italian text for people: the server's, else the default text of the call. */
  message: string;
  /** True when `message` is the server's own. */
  fromServer: boolean;
  errors?: Problem['errors'];
  requestId?: string | undefined;
}

/** A call to the API that did not succeed. `message` can be shown as it is. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fromServer: boolean;
  readonly errors: Problem['errors'];
  readonly requestId: string | undefined;

  constructor(facts: ApiErrorFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.fromServer = facts.fromServer;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
  }
}
