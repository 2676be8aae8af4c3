import { describe, expect, it } from "vitest";
import {
  describeLoss,
  type LimitedOrder,
  type LimitedSubject,
  type Limits,
  type LimitUsage,
  LIMIT_NAMES,
  refuseAction,
  refuseByLimits,
} from "@/lib/domain/limits";
import { writeRefusal } from "@/lib/domain/refusal-text";
import { NO_USDC, price, usdc } from "@/lib/units";

const NOTHING: LimitUsage = {
  spentToday: NO_USDC,
  dayResetsAt: null,
  lostToday: NO_USDC,
  spent: NO_USDC,
  reserved: NO_USDC,
  marketReserved: NO_USDC,
  held: NO_USDC,
  marketHeld: NO_USDC,
  openOrders: 0,
  ordersThisMinute: 0,
  minuteResetsAt: null,
};
const ORDER: LimitedOrder = {
  action: "BUY",
  cost: usdc(5_000_000n),
  canRest: true,
  price: price(500_000n),
  mid: price(400_000n),
  market: { id: "0x1", slug: "rain", eventSlug: "weather", category: "Weather" },
};
const formatTime = (at: string) => at.slice(11, 16);

function refuse(
  limits: Limits,
  usage: Partial<LimitUsage> = {},
  frozen: LimitedSubject["frozen"] = null,
): string {
  const subject = { scope: "account", limits, usage: { ...NOTHING, ...usage }, frozen } as const;
  const refusal = refuseByLimits(ORDER, [subject]);
  return refusal === null ? "" : writeRefusal(refusal.message, formatTime);
}

describe("a refusal on a page", () => {
  it("names an amount by its label, and says when more is available", () => {
    const dayResetsAt = new Date("2026-11-25T14:05:00.000Z");
    expect(
      refuse({ perDay: usdc(6_000_000n) }, { spentToday: usdc(4_000_000n), dayResetsAt }),
    ).toBe(
      "This order can cost $5.00. Of the limit “Per day” of this account, $6.00, $2.00 is left. " +
        "More is available from 14:05.",
    );
  });

  it("rounds up the time from which more is available", () => {
    const minuteResetsAt = new Date("2026-11-25T14:04:00.001Z");
    expect(refuse({ ordersPerMinute: 3 }, { ordersThisMinute: 3, minuteResetsAt })).toBe(
      "The limit “Orders per minute” of this account, 3, is used up. More is available from 14:05.",
    );
  });

  it("names actions by their labels", () => {
    expect(refuse({ actions: ["SELL", "REDEEM"] })).toBe(
      "The limit “Allowed actions” of this account allows Sell, Claim winnings, not Buy.",
    );
    const key = { scope: "key", limits: { actions: [] } } as const;
    expect(writeRefusal(refuseAction("CANCEL", key)?.message ?? "", formatTime)).toBe(
      "The limit “Allowed actions” of this API key allows nothing, not Cancel orders.",
    );
  });

  it("says in the reader's time since when trading is frozen, and why", () => {
    const reason = `This account ${describeLoss(usdc(5_000_000n), usdc(4_000_000n))}`;
    expect(refuse({}, {}, { at: new Date("2026-11-25T14:04:59.999Z"), reason })).toBe(
      "This account was frozen at 14:04 and places nothing: This account lost $5.00 in 24 hours, " +
        "and its limit “Loss per day” is $4.00.",
    );
  });

  it("has no name or time of the API, whatever the limit", () => {
    const refused = [
      refuse({ perOrder: NO_USDC }),
      refuse({ perDay: NO_USDC }),
      refuse({ total: NO_USDC }),
      refuse({ openExposure: NO_USDC }),
      refuse({ perMarket: NO_USDC }),
      refuse({ dailyLoss: NO_USDC }),
      refuse({ maxOpenOrders: 0 }),
      refuse({ ordersPerMinute: 0 }, { minuteResetsAt: new Date() }),
      refuse({ maxDistanceFromMid: price(10_000n) }),
      refuse({ markets: [] }),
      refuse({ actions: [] }),
    ];
    const ofApi = new RegExp(String.raw`\blimit (${LIMIT_NAMES.join("|")})\b|\b(BUY|SELL)\b|\dT\d`);
    for (const text of refused) {
      expect(text).toMatch(/limit “[A-Z]/);
      expect(text).not.toMatch(ofApi);
    }
  });

  it("leaves other messages as they are", () => {
    for (const text of [
      "This order needs $5.00; $4.00 is available.",
      "The limit order is off tick.",
    ])
      expect(writeRefusal(text, formatTime)).toBe(text);
  });
});
