import { describe, expect, it } from "vitest";
import { parseHistoryFilter, parseOpenOrdersFilter } from "@/lib/orders/order-filters";

const query = (text: string) => new URLSearchParams(text);

describe("filters of a page URL", () => {
  it("are parsed by name", () => {
    expect(parseOpenOrdersFilter(query("market=0xab&side=sell&q=%20rain%20"))).toEqual({
      market: "0xab",
      action: "SELL",
      text: "rain",
    });
    expect(
      parseHistoryFilter(query("status=filled&side=buy&key=k1&q=%20rain%20"), "UTC"),
    ).toMatchObject({
      status: "filled",
      action: "BUY",
      keyId: "k1",
      text: "rain",
    });
  });

  it("include the whole last day, in UTC", () => {
    const { from, before } = parseHistoryFilter(query("from=2026-11-01&to=2026-11-03"), "UTC");
    expect(from?.toISOString()).toBe("2026-11-01T00:00:00.000Z");
    expect(before?.toISOString()).toBe("2026-11-04T00:00:00.000Z");
  });

  it("of the history use the reader's days, even when the clocks change", () => {
    const { from, before } = parseHistoryFilter(
      query("status=filled&from=2026-10-25&to=2026-10-25"),
      "Europe/Berlin",
    );
    expect(from?.toISOString()).toBe("2026-10-24T22:00:00.000Z");
    expect(before?.toISOString()).toBe("2026-10-25T23:00:00.000Z");
    expect(parseHistoryFilter(query("status=filled&from=2026-02-30"), "UTC")).toMatchObject({
      status: "filled",
      from: undefined,
      before: undefined,
    });
  });

  it("are ignored when they are empty or invalid", () => {
    const nothing = { market: undefined, action: undefined };
    expect(parseOpenOrdersFilter(query("market=&side=both&q="))).toEqual({
      ...nothing,
      text: undefined,
    });
    const unread = {
      ...nothing,
      status: undefined,
      text: undefined,
      keyId: undefined,
      from: undefined,
      before: undefined,
    };
    for (const days of ["from=2026-13-45&to=yesterday", "from=0020-11-22&to=9999-12-31"]) {
      expect(parseHistoryFilter(query(`status=open&key=&${days}`), "Asia/Tokyo")).toEqual(unread);
    }
  });
});
