"use client";

import { KeyRound } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { useHydrated } from "@/lib/browser/use-hydrated";

/** Asks the server for a challenge. */
export type StartPasskeyCheck = () => Promise<
  | { status: "ready"; options: PublicKeyCredentialRequestOptionsJSON }
  | { status: "failed"; message: string }
>;

interface Props {
  start: StartPasskeyCheck;
  autoFocus: boolean;
}

/** Asks the browser for a passkey, and then sends the form around it with the response. */
export function PasskeyButton({ start, autoFocus }: Props) {
  const response = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isHydrated = useHydrated();
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
        isUnavailable={isBusy || !isHydrated}
        aria-busy={isBusy}
        autoFocus={autoFocus}
        onClick={(event) => void onClick(event)}
      >
        {isBusy ? <Spinner /> : <KeyRound aria-hidden="true" className="size-4" />} Use a passkey
      </Button>
      <p role="status" className="text-small text-danger">
        {problem}
      </p>
    </div>
  );
}

type Asked = { problem: null; response: string } | { problem: string };

async function askPasskey(start: StartPasskeyCheck): Promise<Asked> {
  try {
    const [started, { startAuthentication }] = await Promise.all([
      start(),
      import("@simplewebauthn/browser"),
    ]);
    if (started.status === "failed") return { problem: started.message };
    const response = await startAuthentication({ optionsJSON: started.options });
    return { problem: null, response: JSON.stringify(response) };
  } catch {
    return { problem: "No passkey was used. Try again, or enter a code." };
  }
}
