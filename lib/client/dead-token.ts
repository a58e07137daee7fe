type Listener = (token: string) => void;

const listeners = new Set<Listener>();

/** Tells the session that the server refused `token`. */
export function reportDeadToken(token: string): void {
  for (const listener of listeners) listener(token);
}

/** Runs `listener` with each token that the server refuses. */
export function onDeadToken(listener: Listener): void {
  listeners.add(listener);
}
