'use client';
import { useEffect, useRef } from 'react';
import { toastFailure } from './toast-failure';

/**
 * Shows a notification when a load starts to fail: the screen's text, under it the server's. Later failures of the same
 * load stay silent until it has worked again, so that a screen that refreshes itself does not repeat them.
 */
export function useFailureToast(error: unknown, title: string): void {
  const latest = useRef(error);
  useEffect(() => {
    latest.current = error;
  });
  const failed = Boolean(error);
  useEffect(() => {
    if (failed) toastFailure(latest.current, title);
  }, [failed, title]);
}
