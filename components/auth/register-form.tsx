'use client';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { PasswordInput } from '@/components/ui/password-input';
import { errorMessage } from '@/lib/client/api';
import { signUp } from '@/lib/client/session';
import { MIN_PASSWORD_LENGTH } from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';

/** Nome, Email, Password, Conferma Password. The shell around it goes to /dashboard once somebody is signed in. */
export function RegisterForm() {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '');
    const body = { name: field('name').trim(), email: field('email').trim(), password: field('password') };
    const confirmed = field('confirm');
    if (!body.name || !body.email || !body.password || !confirmed)
      return setError(MESSAGES.validation.registerRequired);
    if (body.password !== confirmed) return setError(MESSAGES.validation.passwordsDiffer);
    setError(undefined);
    setBusy(true);
    try {
      await signUp(body);
    } catch (failure) {
      setError(errorMessage(failure, 'Registrazione fallita'));
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <div className="grid gap-2">
        <h1 className="text-2xl font-semibold">Registrati</h1>
        <p className="text-ink-2">Apri la cassa del tuo negozio.</p>
      </div>
      <div className="grid gap-4">
        {error && (
          <Notice tone="danger" role="alert">
            {error}
          </Notice>
        )}
        <Input label="Nome" name="name" autoComplete="organization" hint="Lo vedono i tuoi clienti quando pagano." />
        <Input label="Email" name="email" type="email" autoComplete="username" />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          hint={`Almeno ${MIN_PASSWORD_LENGTH} caratteri.`}
        />
        <PasswordInput label="Conferma Password" name="confirm" autoComplete="new-password" />
      </div>
      <div className="grid gap-4">
        <Button type="submit" variant="primary" block busy={busy} busyLabel="Registrazione in corso...">
          Registrati
        </Button>
        <p className="text-ink-2">
          Hai già un account?{' '}
          <Link href="/login" className="link">
            Accedi
          </Link>
        </p>
      </div>
    </form>
  );
}
