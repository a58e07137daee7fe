/**
 * Puts a text on the clipboard. Pages served over plain http have no clipboard API (it asks for a secure context):
 * there the older command copies from a field that nobody sees.
 * @returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'sr-only';
  // Inside an open dialog everything else is inert and could not be selected.
  const host = document.querySelector('dialog:modal') ?? document.body;
  const focused = document.activeElement;
  host.append(field);
  field.select();
  const worked = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return worked;
}
