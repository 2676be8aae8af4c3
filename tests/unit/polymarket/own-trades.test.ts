import { describe, expect, it } from "vitest";
import { sumNotional, sumShares } from "@/lib/domain/trade-parts";
import { formatMicro } from "@/lib/units";
import { extractOwnTrades } from "@/lib/polymarket/account";
import { WireTrade } from "@/lib/polymarket/wire/orders";

const WALLET = `0x${"aa".repeat(20)}`;
const OTHER = `0x${"bb".repeat(20)}`;
const TRADER = { funderAddress: WALLET, credentials: null };
const TOKEN = "101";
const OTHER_TOKEN = "102";

const maker = (given: object) => ({
  order_id: `0x${"01".repeat(32)}`,
  maker_address: OTHER,
  matched_amount: "5",
  price: "0.99",
  asset_id: OTHER_TOKEN,
  side: "BUY",
  ...given,
});

function trade(given: object) {
  return WireTrade.parse({
    id: "trade",
    taker_order_id: `0x${"EF".repeat(32)}`,
    market: `0x${"56".repeat(32)}`,
    asset_id: TOKEN,
    side: "BUY",
    size: "7",
    price: "0.013",
    status: "TRADE_STATUS_MATCHED",
    match_time: "1744590395",
    maker_address: WALLET,
    trader_side: "TAKER",
    maker_orders: [maker({}), maker({ matched_amount: "2", price: "0.02", asset_id: TOKEN })],
    ...given,
  });
}

describe("a taker's trade", () => {
  it("costs the sum of its makers, not its rounded price (recorded: 7 @ 0.013)", () => {
    const [own, ...others] = extractOwnTrades(TRADER, trade({}));
    expect(others).toEqual([]);
    expect(own?.parts).toEqual([
      { price: 10_000n, shares: 5_000_000n },
      { price: 20_000n, shares: 2_000_000n },
    ]);
    expect(formatMicro(sumNotional(own?.parts ?? []))).toBe("0.09");
    expect(own?.venueOrderId).toBe(`0x${"ef".repeat(32)}`);
  });

  it.each([
    ["add up to less than the trade", { size: "8" }],
    ["add up to more than the trade", { size: "6.5" }],
    ["are missing", { maker_orders: [] }],
    ["do not name their token", { maker_orders: [maker({ matched_amount: "7", asset_id: null })] }],
    [
      "have a price above one dollar",
      { maker_orders: [maker({ matched_amount: "7", price: "1.2" })] },
    ],
  ])("has no parts while its makers %s", (_, given) => {
    expect(extractOwnTrades(TRADER, trade(given))).toMatchObject([{ role: "taker", parts: [] }]);
  });

  it("rounds the cash of every maker down to the micro-unit, like the contract", () => {
    const makers = [1, 2].map(() =>
      maker({ matched_amount: "14.925372", price: "0.67", asset_id: TOKEN }),
    );
    const [own] = extractOwnTrades(TRADER, trade({ size: "29.850744", maker_orders: makers }));
    expect(formatMicro(sumNotional(own?.parts ?? []))).toBe("19.999998");
  });
});

it("an order that a trade lists twice among its makers counts with both entries", () => {
  const own = { maker_address: WALLET.toUpperCase().replace("0X", "0x"), asset_id: TOKEN };
  const makers = [
    maker({ ...own, matched_amount: "3", price: "0.4" }),
    maker({}),
    maker({ ...own, matched_amount: "2", price: "0.4" }),
  ];
  const found = extractOwnTrades(
    TRADER,
    trade({ trader_side: "MAKER", size: "10", maker_orders: makers }),
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ role: "maker", terms: { tokenId: TOKEN, action: "BUY" } });
  expect(formatMicro(sumShares(found[0]?.parts ?? []))).toBe("5");
});
