import { describe, expect, it } from "vitest";
import { ONE, price } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { readTotals } from "@/tests/support/exchange/ledger";
import { findPriceInside, freshMarket, useTestClock } from "@/tests/support/exchange/orders";
import { callClob } from "@/tests/support/sandbox/call";
import {
  makeSandboxWallet,
  placeSigned,
  type SandboxWallet,
  signedBody,
} from "@/tests/support/sandbox/wallet";

useFreshDatabase();
useTestClock();

const DUPLICATED = {
  error: expect.stringMatching(/^order 0x[0-9a-f]{64} is invalid\. Duplicated\.$/),
};

const post = (wallet: SandboxWallet, body: unknown) =>
  callClob(wallet, ["POST", "/order"], { body });

function bid(wallet: SandboxWallet, size: bigint, more: object = {}): object {
  const market = freshMarket();
  const terms = { side: "BUY", at: findPriceInside(market)(0), size } as const;
  return { ...(signedBody(wallet, market, terms) as object), ...more };
}

/** Bodies that the matching refuses, with its refusal. */
const REFUSED: [string, (wallet: SandboxWallet) => Promise<object> | object, string][] = [
  ["a kill as FOK", (wallet) => bid(wallet, 10n, { orderType: "FOK" }), "FOK orders are"],
  ["a kill as FAK", (wallet) => bid(wallet, 10n, { orderType: "FAK" }), "FAK orders are"],
  ["a refusal for lack of balance", (wallet) => bid(wallet, 1_000_000n), "not enough balance"],
  [
    "a refusal as post-only",
    async (wallet) => {
      const market = freshMarket();
      const at = findPriceInside(market)(0);
      const other = { side: "BUY", at: price(ONE - at), size: 10n, outcome: 1 } as const;
      await placeSigned(await makeSandboxWallet(), market, other);
      const body = signedBody(wallet, market, { side: "BUY", at, size: 10n }) as object;
      return { ...body, postOnly: true };
    },
    "order crosses book",
  ],
];

describe("a signed order that is sent again", () => {
  it.each(REFUSED)("is a duplicate after %s, and changes nothing", async (_, build, refusal) => {
    const wallet = await makeSandboxWallet();
    const body = await build(wallet);
    expect(await post(wallet, body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(refusal) },
    });
    const before = await readTotals();
    expect(await post(wallet, body)).toMatchObject({ status: 400, body: DUPLICATED });
    expect(await readTotals()).toEqual(before);
  });

  it("is a duplicate after it was canceled, and stays canceled", async () => {
    const wallet = await makeSandboxWallet();
    const body = bid(wallet, 10n);
    expect(await post(wallet, body)).toMatchObject({ body: { status: "live" } });
    await callClob(wallet, ["DELETE", "/cancel-all"]);
    const before = await readTotals();
    expect(await post(wallet, body)).toMatchObject({ status: 400, body: DUPLICATED });
    expect(await readTotals()).toEqual(before);
  });

  it("is checked again after its terms were refused, because it was never placed", async () => {
    const wallet = await makeSandboxWallet();
    const body = bid(wallet, 1n);
    const before = await readTotals();
    for (let times = 0; times < 2; times += 1) {
      expect(await post(wallet, body)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining("lower than the minimum") },
      });
    }
    expect(await readTotals()).toEqual(before);
  });
});
