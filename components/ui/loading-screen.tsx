import { Spinner } from './spinner';

/** The whole screen while the session loads. */
export function LoadingScreen() {
  return (
    <div role="status" className="grid min-h-dvh place-content-center justify-items-center gap-3 text-ink-2">
      <Spinner size={24} className="text-accent" />
      Caricamento...
    </div>
  );
}
