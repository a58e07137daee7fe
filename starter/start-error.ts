/** Something that stops the start and that the person at the keyboard can mend: its message is one plain sentence, shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
