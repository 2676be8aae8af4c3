"use client";

import { formatZone } from "@/components/format/times";
import { ExpiryChips } from "@/components/trading/ticket/chips";
import { FieldError, findShownIssue } from "@/components/trading/ticket/field-error";
import type { Ticket } from "@/lib/browser/use-ticket";
import { canFillOrKill } from "@/lib/domain/ticket/assess";
import { EXPIRIES, isExpiry, type OptionField } from "@/lib/domain/ticket/form";

/** Expiry and post-only option of a limit order. */
export function LimitOptions({ ticket }: { ticket: Ticket }) {
  return (
    <div className="flex flex-col gap-3">
      <ExpiryField ticket={ticket} />
      <OptionSwitch ticket={ticket} field="postOnly" label="Post only">
        Rejects the order if it would fill immediately.
      </OptionSwitch>
    </div>
  );
}

/** The all-or-nothing option of a market order, where the venue has it. */
export function MarketOptions({ ticket }: { ticket: Ticket }) {
  if (!canFillOrKill(ticket.form, ticket.context.rules)) return null;
  return (
    <OptionSwitch ticket={ticket} field="fillOrKill" label="All or nothing">
      Fills in full immediately, or not at all.
    </OptionSwitch>
  );
}

function ExpiryField({ ticket }: { ticket: Ticket }) {
  const { form, dispatch, context } = ticket;
  const issue = findShownIssue(ticket, "expires");
  return (
    // CSS shows the time field, so that it also works without JavaScript.
    <div className="group flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <label htmlFor="ticket-expiry" className="font-[550]">
          Expires
        </label>
        <select
          id="ticket-expiry"
          name="expiry"
          value={form.expiry}
          aria-invalid={issue && form.expiry === "today" ? true : undefined}
          aria-describedby={issue ? "ticket-expires-error" : undefined}
          onChange={({ target: { value } }) => {
            if (isExpiry(value)) dispatch({ kind: "expire", expiry: value });
          }}
          className="control max-w-44"
        >
          {EXPIRIES.map(([expiry, label]) => (
            <option key={expiry} value={expiry}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="hidden flex-col gap-1.5 with-time:flex">
        <label htmlFor="ticket-expires" className="text-small text-text-2">
          Date and time ({formatZone(context.zone)})
        </label>
        <input
          id="ticket-expires"
          name="expires"
          type="datetime-local"
          value={form.expires}
          aria-invalid={issue && form.expiry === "time" ? true : undefined}
          aria-describedby={issue ? "ticket-expires-error" : undefined}
          onChange={(event) =>
            dispatch({ kind: "type", field: "expires", text: event.target.value })
          }
          onBlur={() => {
            if (form.expires === "") return;
            dispatch({ kind: "leave", field: "expires", tick: context.rules.tick });
          }}
          className="control num"
        />
        <ExpiryChips ticket={ticket} />
      </div>
      <FieldError ticket={ticket} issue={issue} id="ticket-expires-error" />
    </div>
  );
}

interface SwitchProps {
  ticket: Ticket;
  field: OptionField;
  label: string;
  /** One sentence that explains the option. */
  children: string;
}

function OptionSwitch({ ticket, field, label, children }: SwitchProps) {
  const id = `ticket-${field}`;
  const issue = findShownIssue(ticket, field);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-3 max-lg:-ml-3 max-lg:gap-0">
        <span className="grid size-11 shrink-0 place-items-center lg:size-5">
          <input
            id={id}
            name={field}
            value="true"
            type="checkbox"
            checked={ticket.form[field]}
            aria-invalid={issue ? true : undefined}
            aria-describedby={issue ? `${id}-error ${id}-help` : `${id}-help`}
            onChange={(event) =>
              ticket.dispatch({ kind: "switch", option: field, isOn: event.target.checked })
            }
            className="size-5 accent-(--ink) lg:size-4"
          />
        </span>
        <div className="max-lg:py-2.5">
          <label htmlFor={id} className="block font-[550]">
            {label}
          </label>
          <p id={`${id}-help`} className="text-small text-text-2">
            {children}
          </p>
        </div>
      </div>
      <FieldError ticket={ticket} issue={issue} id={`${id}-error`} />
    </div>
  );
}
