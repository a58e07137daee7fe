import { errorMessage } from '@/lib/client/error-message';
import { toast } from './toast';

/** Shows a failure as the readings ask: the screen's text, under it the server's message or the call's default text. */
export function toastFailure(error: unknown, title: string): void {
  const reason = errorMessage(error, title);
  toast.error(title, { description: reason === title ? undefined : reason });
}
