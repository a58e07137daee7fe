import { processSingleton } from '@/lib/shared/process-singleton';

const open = () => processSingleton('open-streams', () => new Set<() => void>());

/** Event streams that are being sent: an open one would keep the process from ending. */
export const openStreams = {
  /**
   * Enters a stream.
   * @param close ends the stream; called once, when the process stops
   * @returns what takes it out again; call it when the stream ended by itself
   */
  register(close: () => void): () => void {
    open().add(close);
    return () => open().delete(close);
  },

  /** Ends every stream that is still open. */
  closeAll(): void {
    const closing = [...open()];
    open().clear();
    for (const close of closing) close();
  },
};
