"use client";

import { type ReactNode, useEffect, useState, useTransition } from "react";
import type { ActionState } from "@/components/ui/action-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Spinner } from "@/components/ui/spinner";
import { PAGE_MODE_FIELD } from "@/lib/browser/page-mode";
import { type PushState, readPushState, subscribeBrowser } from "@/lib/browser/push";

interface Props {
  mode: "paper" | "live";
  /** The public key of the service, for which the browser subscribes. */
  serverKey: string;
  /** Whether the server sends to this browser. */
  isListed: boolean;
  turnOn: (form: FormData) => Promise<ActionState>;
}

const REASONS: Readonly<Record<Exclude<PushState, "off">, ReactNode>> = {
  on: "Notifications are on in this browser.",
  blocked:
    "This browser blocks notifications from this site. Allow them in the browser’s site settings, then reload this page.",
  insecure: "Notifications need https. Open Ante at its https address.",
  unsupported:
    "This browser doesn’t support notifications from websites. On iPhone and iPad, add Ante to the Home Screen first.",
};

const DISMISSED = "Notifications stay off. Allow them when the browser asks.";
const FAILED = "This browser couldn’t reach its push service. Try again later.";

/** Turns notifications on in this browser. It asks for the permission only when the button is pressed. */
export function PushSwitch({ mode, serverKey, isListed, turnOn }: Props) {
  const [state, setState] = useState<PushState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    void readPushState(isListed).then(setState);
  }, [isListed]);
  const press = () =>
    startTransition(async () => {
      setFailure(await turnOnHere(mode, serverKey, turnOn));
      setState(await readPushState(isListed));
    });
  return (
    <div className="flex flex-col gap-3">
      {state === null || state === "off" ? (
        <div className="noscript:hidden">
          <Button
            tone="primary"
            onClick={press}
            disabled={state === null || isPending}
            aria-busy={isPending}
          >
            {isPending ? (
              <>
                <Spinner /> Turning on…
              </>
            ) : (
              "Notify this browser"
            )}
          </Button>
        </div>
      ) : (
        <p className="font-[550]">{REASONS[state]}</p>
      )}
      <div role="status">
        {state === "off" && failure !== null && <Callout tone="warn">{failure}</Callout>}
      </div>
      <p className="hidden text-text-2 noscript:block">
        Turning notifications on needs JavaScript.
      </p>
    </div>
  );
}

/** Subscribes this browser and registers it. Returns why that failed; null if it worked. */
async function turnOnHere(
  mode: Props["mode"],
  serverKey: string,
  turnOn: Props["turnOn"],
): Promise<string | null> {
  const given = await subscribeBrowser(serverKey).catch(() => FAILED);
  if (given === null) return DISMISSED;
  if (typeof given === "string") return given;
  const form = new FormData();
  form.set(PAGE_MODE_FIELD, mode);
  for (const [name, value] of Object.entries(given)) form.set(name, value);
  const result = await turnOn(form);
  return result.status === "failed" ? result.message : null;
}
