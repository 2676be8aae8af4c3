import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { OutcomeButtons } from "@/components/trading/ticket/modes";
import type { Ticket } from "@/lib/browser/use-ticket";
import type { TicketForm } from "@/lib/domain/ticket/form";
import { ticketContext, ticketForm } from "@/tests/support/domain/ticket";

/** Renders the outcomes of a ticket whose account can sell so many shares of Yes and No. */
function render(form: Partial<TicketForm>, [yes, no]: readonly [number, number]): string {
  const ticket = {
    form: ticketForm(form),
    dispatch: () => {},
    market: { tickSize: "0.01", outcomes: [{ name: "Yes" }, { name: "No" }] },
    context: ticketContext(),
    account: { data: { holdings: [{ freeShares: yes }, { freeShares: no }] } },
  } as unknown as Ticket;
  const buildHref = (choice: object) => `?${JSON.stringify(choice)}`;
  return renderToStaticMarkup(createElement(OutcomeButtons, { ticket, buildHref }));
}

const readText = (html: string) =>
  html
    .replace(/<span class="masked-dots".*?<\/span>/g, "")
    .replace(/<[^>]+>/g, "")
    .trim();

describe("a buy in the ticket", () => {
  it.each([
    ["No while Yes is held", 1, [440.52, 0], "You hold 440.52 Yes. Selling them"],
    ["Yes while No is held", 0, [0, 12], "You hold 12 No. Selling them"],
    ["No while both are held", 1, [3, 5], "You hold 3 Yes. Selling them"],
  ] as const)("names the sale that has the same effect: %s", (_name, outcome, held, start) => {
    const html = render({ action: "BUY", outcome }, held);
    expect(readText(html)).toContain(`${start} has the same effect and frees the money now.`);
    expect(html).toContain(`<span class="masked-value num">${held[1 - outcome]}</span>`);
    const choice = JSON.stringify({ outcome: 1 - outcome, action: "SELL" });
    expect(html).toContain(`<a href="?${choice.replaceAll('"', "&quot;")}" class="link">`);
  });

  it.each([
    ["without shares", { action: "BUY", outcome: 1 }, [0, 0]],
    ["of the outcome that is held", { action: "BUY", outcome: 0 }, [440.52, 0]],
    ["that became a sale", { action: "SELL", outcome: 1 }, [440.52, 5]],
  ] as const)("names no other order %s", (_name, form, held) => {
    expect(render(form, held)).not.toContain("You hold");
  });
});
