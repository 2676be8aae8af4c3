import { describe, expect, it } from "vitest";
import { readHistoryFilter } from "@/lib/services/orders/history-filter";
import { readClosedFilter, readOpenFilter } from "@/lib/services/orders/order-filters";

const query = (text: string) => new URLSearchParams(text);

describe("filters in an address", () => {
  it("are read by name", () => {
    expect(readOpenFilter(query("market=0xab&side=sell&q=%20rain%20"))).toEqual({
      market: "0xab",
      action: "SELL",
      text: "rain",
    });
    expect(readClosedFilter(query("status=filled&side=buy"))).toMatchObject({
      status: "filled",
      action: "BUY",
    });
  });

  it("count the last day in full, in UTC", () => {
    const { from, before } = readClosedFilter(query("from=2026-11-01&to=2026-11-03"));
    expect(from?.toISOString()).toBe("2026-11-01T00:00:00.000Z");
    expect(before?.toISOString()).toBe("2026-11-04T00:00:00.000Z");
  });

  it("of the history have the reader's days, also across a change of the clocks", () => {
    const { from, before } = readHistoryFilter(
      query("status=filled&from=2026-10-25&to=2026-10-25"),
      "Europe/Berlin",
    );
    expect(from?.toISOString()).toBe("2026-10-24T22:00:00.000Z");
    expect(before?.toISOString()).toBe("2026-10-25T23:00:00.000Z");
    expect(readHistoryFilter(query("status=filled&from=2026-02-30"), "UTC")).toMatchObject({
      status: "filled",
      from: undefined,
      before: undefined,
    });
  });

  it("filter nothing when they are empty or not understood", () => {
    const nothing = { market: undefined, action: undefined };
    expect(readOpenFilter(query("market=&side=both&q="))).toEqual({ ...nothing, text: undefined });
    expect(readClosedFilter(query("status=open&from=2026-13-45&to=yesterday"))).toEqual({
      ...nothing,
      status: undefined,
      from: undefined,
      before: undefined,
    });
  });
});
