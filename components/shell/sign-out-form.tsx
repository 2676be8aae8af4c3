"use client";

import { type ReactNode, useEffect } from "react";
import { endPush } from "@/lib/browser/end-push";
import { allowFetches, stopFetches } from "@/lib/browser/fetcher";

/**
 * The form that signs out. It first stops the page's fetches: those that reach the server after the
 * session's end would be refused, and each refusal is an error in the browser's console. It also ends
 * this browser's push subscription.
 */
export function SignOutForm({
  action,
  children,
}: {
  action: () => Promise<void>;
  children: ReactNode;
}) {
  useEffect(allowFetches, []);
  const submit = () => {
    stopFetches();
    void endPush().catch(() => undefined);
  };
  return (
    <form action={action} onSubmit={submit} data-sign-out="">
      {children}
    </form>
  );
}
