import { z } from 'zod';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';

const { loginRequired, registerRequired } = MESSAGES.validation;

/** Lower-cased, so that one person has one account however the address is typed. */
const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH, 'Email troppo lunga.')
  .pipe(z.email('Inserisci un indirizzo email valido'));

export const LoginBody = z.object({
  email: z
    .string({ error: loginRequired })
    .trim()
    .toLowerCase()
    .min(1, loginRequired)
    .max(MAX_EMAIL_LENGTH, loginRequired),
  password: z.string({ error: loginRequired }).min(1, loginRequired).max(MAX_PASSWORD_LENGTH, loginRequired),
});
export type LoginBody = z.infer<typeof LoginBody>;

/** As people compare two words: without capitals and spaces. */
const bare = (text: string) => text.toLowerCase().replace(/\s/g, '');

export const RegisterBody = z
  .object({
    name: z
      .string({ error: registerRequired })
      .trim()
      .min(1, registerRequired)
      .max(MAX_NAME_LENGTH, 'Nome troppo lungo.'),
    email: z.string({ error: registerRequired }).trim().min(1, registerRequired).pipe(Email),
    password: z
      .string({ error: registerRequired })
      .min(1, registerRequired)
      .min(MIN_PASSWORD_LENGTH, `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`)
      .max(MAX_PASSWORD_LENGTH, `La password può avere al massimo ${MAX_PASSWORD_LENGTH} caratteri.`)
      .refine((password) => password.trim() !== '', 'La password non può essere fatta di soli spazi.'),
  })
  .refine(({ name, email, password }) => ![name, email, email.split('@')[0] ?? ''].map(bare).includes(bare(password)), {
    path: ['password'],
    error: 'La password non può essere il tuo nome o la tua email.',
  });
export type RegisterBody = z.infer<typeof RegisterBody>;

export const UserView = z.object({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
});
export type UserView = z.infer<typeof UserView>;

/**
 * Answer of login and of registration alike. The device token outlives the session: shown at the next login in
 * `X-Device-Token`, it tells the owner's browser from strangers.
 */
export const SessionView = z.object({
  access_token: z.string(),
  token: z.string(),
  device_token: z.string(),
  user: UserView,
});
export type SessionView = z.infer<typeof SessionView>;

export const LogoutView = z.object({ success: z.literal(true) });
