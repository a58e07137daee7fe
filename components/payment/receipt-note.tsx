/** Says where the receipt will go. */
export function ReceiptNote({ email }: { email: string | null }) {
  if (email === null) return null;
  return (
    <p className="mt-4 text-sm text-ink-2">
      Invieremo la ricevuta a <span className="font-medium text-ink">{email}</span>
    </p>
  );
}
