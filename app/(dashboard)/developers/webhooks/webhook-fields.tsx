"use client";

import type { MouseEvent } from "react";
import { typeField } from "@/app/(dashboard)/developers/webhooks/webhook-form-state";
import type { useActionForm } from "@/components/ui/action-form";
import { Button } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { EVENT_KINDS } from "@/lib/domain/account-events";

/** What an endpoint has before the form is changed. */
export interface WebhookValues {
  url: string;
  types: readonly string[] | null;
  ordered: boolean;
}

interface Props extends Pick<ReturnType<typeof useActionForm>, "failure" | "getError" | "getText"> {
  values: WebhookValues;
}

/** The fields of an endpoint: its address, its events and their order. */
export function WebhookFields({ values, failure, getError, getText }: Props) {
  const help = "Where events are sent, with https and a public host.";
  // A program reads "url: must be …", which names the field of its request.
  const error = getError("url")?.replace(/^url: /, "The address ") ?? null;
  const chosen = getText("events", values.types === null ? "all" : "some");
  const ordered = getText("ordered", values.ordered ? "yes" : "no");
  return (
    <>
      <Field label="Address" htmlFor="url" help={help} error={error}>
        <input
          {...describedBy("url", { help, error })}
          className="control font-mono text-small"
          name="url"
          type="url"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/hooks/ante"
          defaultValue={getText("url", values.url)}
        />
      </Field>
      {/* CSS shows the checkboxes while "Chosen types" is selected. */}
      <div className="group flex flex-col gap-2">
        <RadioCards legend="Events" error={getError("types")}>
          <RadioCard name="events" value="all" title="All events" isChosen={chosen === "all"}>
            Also types that a later version adds.
          </RadioCard>
          <RadioCard name="events" value="some" title="Chosen types" isChosen={chosen === "some"}>
            Only what you need.
          </RadioCard>
        </RadioCards>
        <div className="hidden flex-col gap-4 pl-1 with-some:flex">
          {EVENT_KINDS.map((kind) => (
            <TypeGroup
              key={kind.name}
              kind={kind}
              isChosen={(type) =>
                failure ? getText(typeField(type)) !== "" : (values.types?.includes(type) ?? false)
              }
            />
          ))}
          <p className="text-small">
            <a href="/docs/event-types" className="link">
              What each type says
            </a>
          </p>
        </div>
      </div>
      <RadioCards legend="Order" error={getError("ordered")}>
        <RadioCard name="ordered" value="yes" title="In order" isChosen={ordered === "yes"}>
          Each event is sent after the previous one is acknowledged. One that fails holds up the
          rest.
        </RadioCard>
        <RadioCard name="ordered" value="no" title="Not in order" isChosen={ordered === "no"}>
          An event that fails doesn&rsquo;t hold up later ones.
        </RadioCard>
      </RadioCards>
    </>
  );
}

interface TypeGroupProps {
  kind: (typeof EVENT_KINDS)[number];
  isChosen: (type: string) => boolean;
}

/** The types of a kind. A button chooses all of them, or none. */
function TypeGroup({ kind: { title, types }, isChosen }: TypeGroupProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-[550]">{title}</legend>
      {types.length > 1 && (
        <p className="noscript:hidden">
          <Button size="small" onClick={toggleAll} aria-label={`All or none: ${title}`}>
            All or none
          </Button>
        </p>
      )}
      <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
        {types.map((type) => (
          <label key={type} className="flex min-h-11 items-center gap-2 lg:min-h-7">
            <input
              type="checkbox"
              name={typeField(type)}
              defaultChecked={isChosen(type)}
              className="size-4 accent-(--ink)"
            />
            <span className="font-mono text-small">{type}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Checks every box of a group, or clears them if all are checked. */
function toggleAll({ currentTarget }: MouseEvent<HTMLElement>): void {
  const boxes = currentTarget
    .closest("fieldset")
    ?.querySelectorAll<HTMLInputElement>("input[type=checkbox]");
  const list = [...(boxes ?? [])];
  const isFull = list.every(({ checked }) => checked);
  for (const box of list) box.checked = !isFull;
}
