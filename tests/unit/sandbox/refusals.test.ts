import { describe, expect, it } from "vitest";
import { refuseUnfunded } from "@/lib/domain/funding";
import { formatRefusal } from "@/lib/sandbox/refusals";
import { usdc } from "@/lib/units";
import { parseMeaning } from "@/lib/polymarket/placement-errors";
import type { Market } from "@/lib/venue/port";

const market = { minBuyAmount: usdc(1_000_000n) } as Market;

/** Returns the sandbox's text for a BUY whose cost with the fee is `hold`. */
async function formatFor(hold: bigint, reserved = 0n): Promise<string> {
  const refusal = refuseUnfunded({
    action: "BUY",
    hold,
    available: 40_000_000n - reserved,
    reserved,
    reservingOrders: 1,
    allowance: null,
  });
  if (!refusal) throw new Error("the account has too little");
  const funds = async () => ({ owned: 40_000_000n, reserved, wanted: 45_000_000n });
  return formatRefusal(refusal, "GTC", { market, funds });
}

describe("a refusal for insufficient funds", () => {
  it("names the amount with the fee and labels it so", async () => {
    const text = await formatFor(45_777_000n, 10_000_000n);
    expect(text).toBe(
      "not enough balance / allowance: the balance is not enough -> balance: 40000000, " +
        "sum of active orders: 10000000, order amount (inc. fees): 45777000",
    );
    expect(parseMeaning(text, "BUY")).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      message: "This order needs $45.78; $30.00 is available ($10.00 is reserved by open buys).",
    });
  });

  it("names the plain amount without a fee", async () => {
    expect(await formatFor(45_000_000n)).toMatch(/balance: 40000000, order amount: 45000000$/);
  });
});
