import type { z } from 'zod';

const FORMATS: Record<string, string> = {
  email: 'Inserisci un indirizzo email valido.',
  url: 'Inserisci un URL valido.',
  uuid: 'Identificativo non valido.',
  datetime: 'Data non valida.',
};

/**
 * Italian text of a refused field whose schema brings none of its own; pass it as `error` to a schema's `safeParse`.
 * Zod's own Italian locale speaks to programmers ("atteso string, ricevuto undefined"); these are read by people.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'Campo obbligatorio.' : 'Valore non valido.';
    case 'invalid_format':
      return FORMATS[String(issue.format)] ?? 'Formato non valido.';
    case 'invalid_value':
      return 'Valore non ammesso.';
    case 'too_small':
      return isSized(issue.origin) ? `Troppo corto: almeno ${issue.minimum}.` : `Valore minimo: ${issue.minimum}.`;
    case 'too_big':
      return isSized(issue.origin) ? `Troppo lungo: al massimo ${issue.maximum}.` : `Valore massimo: ${issue.maximum}.`;
    default:
      return 'Valore non valido.';
  }
}

function isSized(origin: unknown): boolean {
  return origin === 'string' || origin === 'array';
}
