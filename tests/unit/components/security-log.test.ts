// The security log of the settings.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SecurityLog } from "@/components/settings/security-log";
import { auditEvents } from "@/lib/db/schema/audit";

it("the security log has a title for each kind of event", () => {
  const kinds = auditEvents.kind.enumValues;
  expect(kinds).toContain("order_approved");
  for (const kind of kinds) {
    const event = { id: kind, kind, at: "2026-11-25T12:00:00.000Z", keyId: null, detail: {} };
    const markup = renderToStaticMarkup(createElement(SecurityLog, { events: [event] }));
    expect(markup).not.toContain(`>${kind}<`);
  }
});

it("the security log names the order of an approval", () => {
  const detail = { order: "ord_01M8A0THAQHC2CMA1CXFQW871R" };
  const at = "2026-11-25T12:00:00.000Z";
  const events = [{ id: "1", kind: "order_approved", at, keyId: null, detail }];
  const markup = renderToStaticMarkup(createElement(SecurityLog, { events }));
  expect(markup).toContain("Order approved");
  expect(markup).toContain("order ord_01M8A0THAQHC2CMA1CXFQW871R");
});

it("the security log says which limits changed, and from where", () => {
  const limits = { former: { perOrder: "60", maxOpenOrders: 5 }, now: { perOrder: "50" } };
  const detail = { name: "bot", limits, address: "192.0.2.1", browser: "Firefox/132.0" };
  const at = "2026-11-25T12:00:00.000Z";
  const events = [{ id: "1", kind: "limits_changed", at, keyId: "8xaIq2A3", detail }];
  const markup = renderToStaticMarkup(createElement(SecurityLog, { events }));
  expect(markup).toContain("“bot” · key 8xaIq2A3");
  expect(markup).toContain("Per order: $60 → $50, Open orders: 5 → none");
  expect(markup).toContain("from 192.0.2.1");
});
