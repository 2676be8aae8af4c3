// Sells of shares that the exchange may not move.
import { expect, it } from "vitest";
import { previewOrder } from "@/lib/orders/preview-order";
import { requireTrader } from "@/lib/accounts/require-trader";
import type { Protocol } from "@/lib/domain/protocol";
import { price, shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { remoteVenue } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault } from "@/tests/support/live/fault-server";
import { approveSales, makeRelayedUser, splitElsewhere } from "@/tests/support/live/relayed-users";
import {
  findLiveMarket,
  LONG_TIMEOUTS,
  useLiveVenue,
  useSandboxRelayer,
} from "@/tests/support/live/venue";

const sandbox = await useLiveVenue(LONG_TIMEOUTS);
useSandboxRelayer(sandbox);
useFreshDatabase();

const FIVE = 5_000_000n;

/** Creates a user who holds shares of a market, and whose wallet lets an exchange move shares or not. */
async function makeSeller(market: Market) {
  const user = await makeRelayedUser();
  await splitElsewhere(user, market, FIVE);
  const approve = (isApproved: boolean) => approveSales(user, market, isApproved);
  const preview = async (action: "BUY" | "SELL", size = FIVE) => {
    const { refusal } = await previewOrder(user.live, {
      tokenId: market.outcomes[0].tokenId,
      action,
      orderType: "limit",
      price: price(action === "BUY" ? 10_000n : 990_000n),
      shares: shares(size),
    });
    return refusal?.code ?? null;
  };
  return { approve, preview };
}

it.each<Protocol>(["v1", "v2"])(
  "a sell in a market of protocol %s is refused without the approval of the exchange, and a buy is not",
  async (protocol) => {
    const { approve, preview } = await makeSeller(await findLiveMarket(protocol));
    expect(await preview("SELL")).toBeNull();
    await approve(false);
    expect(await preview("SELL")).toBe("INSUFFICIENT_ALLOWANCE");
    expect(await preview("SELL", FIVE + 10_000n)).toBe("INSUFFICIENT_SHARES");
    expect(await preview("BUY", 2n * FIVE)).toBeNull();
    await approve(true);
    expect(await preview("SELL")).toBeNull();
  },
);

const UPDATE = "/clob/balance-allowance/update";
const refuse: Fault = async (_, { send }) =>
  send(Response.json({ error: "Invalid asset type" }, { status: 400 }));

/** Has the venue read the balances of a market again, and returns the assets that it was asked for. */
async function refresh(market: Market): Promise<string[]> {
  const { userId } = await makeRelayedUser();
  const before = sandbox.calls.length;
  const tokenIds = market.outcomes.map(({ tokenId }) => tokenId);
  await remoteVenue().refreshBalances(await requireTrader(userId), tokenIds, market.protocol);
  const calls = sandbox.calls.slice(before).filter(({ path }) => path === UPDATE);
  return calls.map(({ search }) => {
    const query = new URLSearchParams(search);
    return `${query.get("asset_type")} ${query.get("token_id") ?? ""}`.trim();
  });
}

/** Refuses the updates of assets whose type has this name. */
const refuseUpdates = (name: string) => {
  sandbox.fault = ({ path, search }) =>
    path === UPDATE && new URLSearchParams(search).get("asset_type") === name ? refuse : null;
};

it.each([
  ["v1", "CONDITIONAL"],
  ["v2", "CONDITIONAL-V2"],
] as const)("the venue reads cash and shares of protocol %s again", async (protocol, type) => {
  const market = await findLiveMarket(protocol);
  const shareAssets = market.outcomes.map(({ tokenId }) => `${type} ${tokenId}`);
  const all = ["COLLATERAL", ...shareAssets].toSorted();
  expect((await refresh(market)).toSorted()).toEqual(all);
});

it("a host that doesn't know shares of Protocol V2 still reads the cash again", async () => {
  const market = await findLiveMarket("v2");
  try {
    refuseUpdates("CONDITIONAL-V2");
    expect(await refresh(market)).toHaveLength(3);
    refuseUpdates("COLLATERAL");
    await expect(refresh(market)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  } finally {
    sandbox.fault = () => null;
  }
});

it("a sell is not refused for an approval that the venue doesn't tell", async () => {
  const { approve, preview } = await makeSeller(await findLiveMarket("v2"));
  await approve(false);
  let asked = 0;
  sandbox.fault = ({ path }) => {
    if (path !== "/clob/balance-allowance") return null;
    return async (handle, answer) => {
      const response = await handle();
      const isOfShares = (await response.clone().text()).includes(`"balance":"${FIVE}"`);
      if (!isOfShares) return answer.send(response);
      asked += 1;
      return refuse(handle, answer);
    };
  };
  try {
    expect(await preview("SELL")).toBeNull();
    expect(asked).toBe(1);
  } finally {
    sandbox.fault = () => null;
  }
});
