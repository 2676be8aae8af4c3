"use client";

import { KeyRound } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useFormStatus } from "react-dom";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { Button } from "@/components/ui/button";
import type { Look } from "@/components/ui/button-classes";
import { Spinner } from "@/components/ui/spinner";
import { useHydrated } from "@/lib/browser/use-hydrated";

/** Asks the server for a challenge. */
export type StartPasskeyCheck = () => Promise<
  | { status: "ready"; options: PublicKeyCredentialRequestOptionsJSON }
  | { status: "failed"; message: string }
>;

interface Props {
  id: string;
  start: StartPasskeyCheck;
  /** Why the server refused the last attempt, or null. */
  error: string | null;
  look: Look;
  autoFocus: boolean;
}

/** Asks the browser for a passkey, and then sends the form around it with the response. */
export function PasskeyButton({ id, start, error, look, autoFocus }: Props) {
  const response = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { pending } = useFormStatus();
  const isHydrated = useHydrated();
  const shown = isBusy || pending ? null : (problem ?? error);
  useEffect(() => {
    if (error !== null) button.current?.focus();
  }, [error]);
  const onClick = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { form } = currentTarget;
    if (!form?.reportValidity() || !response.current) return;
    setIsBusy(true);
    const asked = await askPasskey(start);
    setIsBusy(false);
    setProblem(asked.problem);
    if (asked.problem !== null) return;
    response.current.value = asked.response;
    form.requestSubmit();
    // A second press must not send the same response.
    response.current.value = "";
  };
  return (
    <div className="flex flex-col items-start gap-1.5 noscript:hidden">
      <input ref={response} type="hidden" name="passkey" defaultValue="" />
      <Button
        ref={button}
        {...look}
        isUnavailable={isBusy || pending || !isHydrated}
        aria-busy={isBusy}
        aria-describedby={`${id}-error`}
        autoFocus={autoFocus}
        onClick={(event) => void onClick(event)}
      >
        {isBusy ? <Spinner /> : <KeyRound aria-hidden="true" className="size-4" />} Use a passkey
      </Button>
      <p id={`${id}-error`} role="status" className="text-small text-danger empty:hidden">
        {shown}
      </p>
    </div>
  );
}

type Asked = { problem: null; response: string } | { problem: string };

async function askPasskey(start: StartPasskeyCheck): Promise<Asked> {
  const ready = await Promise.all([start(), import("@simplewebauthn/browser")]).catch(() => null);
  if (ready === null) return { problem: "Ante didn\u2019t respond. Try again." };
  const [started, { startAuthentication }] = ready;
  if (started.status === "failed") return { problem: started.message };
  try {
    const response = await startAuthentication({ optionsJSON: started.options });
    return { problem: null, response: JSON.stringify(response) };
  } catch {
    // The browser doesn't say whether the user canceled or has none of the passkeys.
    return { problem: "No passkey was used. Try again, or enter a code." };
  }
}
