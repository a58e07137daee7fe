'use client';
import Link from 'next/link';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { PasswordInput } from '@/components/ui/password-input';
import { errorMessage } from '@/lib/client/api';
import { signIn } from '@/lib/client/session';
import { MESSAGES } from '@/lib/shared/messages';

/** Email and password. The shell around it goes to /dashboard once somebody is signed in. */
export function LoginForm() {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const email = String(form.get('email') ?? '').trim();
    const password = String(form.get('password') ?? '');
    if (!email || !password) return setError(MESSAGES.validation.loginRequired);
    setError(undefined);
    setBusy(true);
    try {
      await signIn({ email, password });
    } catch (failure) {
      setError(errorMessage(failure, 'Login fallito'));
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <div className="grid gap-2">
        <h1 className="text-2xl font-semibold">Accedi</h1>
        <p className="text-ink-2">Entra nella cassa del tuo negozio.</p>
      </div>
      <div className="grid gap-4">
        {error && (
          <Notice tone="danger" role="alert">
            {error}
          </Notice>
        )}
        <Input label="Email" name="email" type="email" autoComplete="username" />
        <PasswordInput label="Password" name="password" autoComplete="current-password" />
      </div>
      <div className="grid gap-4">
        <Button type="submit" variant="primary" block busy={busy} busyLabel="Accesso in corso...">
          Accedi
        </Button>
        <p className="text-ink-2">
          Non hai un account?{' '}
          <Link href="/register" className="link">
            Registrati
          </Link>
        </p>
      </div>
    </form>
  );
}
