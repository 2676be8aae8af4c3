"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useRouter } from "next/navigation";
import { Button, ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";

interface Props {
  heading: string;
  secret: string;
  /** What the secret is, in lower case: "key". */
  noun: string;
  /** Its name above the field: "API key". */
  label: string;
  /** What to do when it is lost. */
  ifLost: ReactNode;
  /** The sentence for one who leaves without it. */
  remedy: string;
  /** A further notice, above the secret. */
  notice?: ReactNode;
  example: { title: string; code: string };
  /** Where "Done" leads. */
  doneHref: string;
}

/** A secret that no other page shows. Leaving the page asks for confirmation until it is saved. */
export function ShownOnce(props: Props) {
  const { heading, secret, noun, label, ifLost, remedy, notice, example, doneHref } = props;
  const title = useRef<HTMLHeadingElement>(null);
  const [isStored, setIsStored] = useState(false);
  const guard = useLeaveGuard(!isStored);
  const id = useId();
  useEffect(() => title.current?.focus(), []);
  return (
    <section data-shown-once="" className="card flex flex-col gap-4 p-4 sm:p-6">
      <h1 ref={title} tabIndex={-1} className="text-title wrap-anywhere outline-none">
        {heading}
      </h1>
      {notice}
      <Callout
        tone="warn"
        role="status"
        title={`Copy your ${noun} now. You won\u2019t see it again.`}
      >
        {ifLost}
      </Callout>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-[550]">
          {label}
        </label>
        <div className="flex items-center gap-2">
          <input
            id={id}
            readOnly
            value={secret}
            autoComplete="off"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            className="control font-mono text-small"
          />
          <CopyButton text={secret} label={`Copy ${noun}`} hasText />
        </div>
      </div>
      <CodeBlock title={example.title} code={example.code} label="command" isWrapped />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <input
          id={`${id}-stored`}
          type="checkbox"
          onChange={(event) => setIsStored(event.target.checked)}
          className="peer size-5 accent-(--ink)"
        />
        <label htmlFor={`${id}-stored`} className="-ml-2 flex min-h-11 items-center lg:min-h-6">
          I&rsquo;ve saved this {noun}
        </label>
        {/* Uses only CSS, so that it works without JavaScript. */}
        <span className="inline-flex h-11 items-center rounded-control bg-surface-2 px-4 text-text-2 peer-checked:hidden lg:h-9">
          Done
        </span>
        <span className="hidden peer-checked:inline">
          <ButtonLink tone="primary" href={doneHref}>
            Done
          </ButtonLink>
        </span>
      </div>
      <Dialog
        title={`Leave without saving this ${noun}?`}
        isOpen={guard.isAsking}
        onClose={guard.stay}
      >
        <p>You can&rsquo;t view it again. {remedy}</p>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button data-autofocus onClick={guard.stay}>
            Stay
          </Button>
          <Button tone="danger" onClick={guard.leave}>
            Leave
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

/** Intercepts links and asks for confirmation before the page is closed. */
function useLeaveGuard(isOn: boolean) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    const hold = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      if (event.metaKey || event.ctrlKey || link.target === "_blank") return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(`${link.pathname}${link.search}`);
    };
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("click", hold, { capture: true });
    window.addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("click", hold, { capture: true });
      window.removeEventListener("beforeunload", warn);
    };
  }, [isOn]);
  return {
    isAsking: target !== null,
    stay: () => setTarget(null),
    leave: () => target !== null && router.push(target),
  };
}
