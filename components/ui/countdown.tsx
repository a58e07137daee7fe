'use client';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCountdown } from '@/lib/shared/format';
import { classNames } from './class-names';

/** From here on the countdown warns. */
const WARN_SECONDS = 5 * 60;
/** Spoken once each: a timer that spoke every second would drown the rest of the page. */
const SPOKEN: ReadonlyArray<{ atSeconds: number; text: string }> = [
  { atSeconds: 0, text: 'Scaduto' },
  { atSeconds: 60, text: 'Tempo rimanente: meno di un minuto' },
  { atSeconds: WARN_SECONDS, text: 'Tempo rimanente: meno di cinque minuti' },
];

interface CountdownProps {
  /** Whole seconds left; null before the first tick in the browser. */
  secondsLeft: number | null;
  totalSeconds: number;
  /** Stands at the right end of the line. */
  aside?: ReactNode;
}

/** "Tempo rimanente: m:ss min" over a bar, then "Scaduto". Spoken at five minutes, one minute and zero. */
export function Countdown({ secondsLeft, totalSeconds, aside }: CountdownProps) {
  const over = secondsLeft === 0;
  const warn = secondsLeft !== null && !over && secondsLeft <= WARN_SECONDS;
  const time = secondsLeft === null ? '\u2013:\u2013\u2013' : formatCountdown(secondsLeft);
  return (
    <div className={classNames('grid gap-2', warn && 'text-warning')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-base">
        <span role="timer" className={classNames('font-semibold', over && 'text-ink-2')}>
          {over ? 'Scaduto' : `Tempo rimanente: ${time} min`}
        </span>
        {aside && <span className="text-ink-2">{aside}</span>}
      </div>
      <progress
        value={secondsLeft ?? totalSeconds}
        max={totalSeconds}
        aria-label="Tempo rimanente"
        className={classNames(warn && 'text-warning', over && 'text-ink-3')}
      />
      <Announcement secondsLeft={secondsLeft} />
    </div>
  );
}

function Announcement({ secondsLeft }: { secondsLeft: number | null }) {
  const [text, setText] = useState('');
  const due = secondsLeft === null ? undefined : SPOKEN.find((line) => secondsLeft <= line.atSeconds)?.text;
  useEffect(() => setText(due ?? ''), [due]);
  return (
    <span role="status" className="sr-only">
      {text}
    </span>
  );
}
