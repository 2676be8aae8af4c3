// A live account after the venue has retired the first Data API.
import { expect, it } from "vitest";
import { listPositions } from "@/lib/sandbox/data-positions";
import { readHoldings, readLiveAccount } from "@/lib/accounts/live-account";
import { requireTrader } from "@/lib/accounts/require-trader";
import { microToNumber } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findLiveMarket,
  LONG_TIMEOUTS,
  makeLiveUser,
  MARKET_BUY,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

const sandbox = await useLiveVenue(LONG_TIMEOUTS);
process.env["DATA_API_URL"] = `${sandbox.url}/data-v2`;
useFreshDatabase();

it("a live account is valued without the first Data API", async () => {
  const user = await makeLiveUser();
  expect(await send(user, MARKET_BUY, "retired-1")).toMatchObject({ status: 200 });
  const trader = await requireTrader(user.userId);
  const [held, ...others] = await readHoldings(trader);
  expect(others).toEqual([]);
  // Within the process, the sandbox still serves the first Data API.
  const [first] = await listPositions(
    new URLSearchParams({ user: user.funder, sizeThreshold: "0" }),
  );
  const market = await findLiveMarket();
  expect(held).toMatchObject({
    marketId: market.id,
    marketTitle: market.title,
    isRedeemable: false,
  });
  expect(
    [held?.shares, held?.averagePrice, held?.value, held?.pnl].map((one) =>
      microToNumber(one ?? 0n),
    ),
  ).toEqual([first?.size, first?.avgPrice, first?.currentValue, first?.cashPnl]);
  expect(typeof (await readLiveAccount(trader)).totalPnl).toBe("bigint");
});

it.each(["positions", "closed-positions", "value", "trades", "activity", "traded"])(
  "the sandbox without the first Data API has no /%s",
  async (path) => {
    const user = "0x0000000000000000000000000000000000000001";
    expect((await fetch(`${sandbox.url}/data/${path}?user=${user}`)).status).toBe(200);
    expect((await fetch(`${sandbox.url}/data-v2/${path}?user=${user}`)).status).toBe(404);
  },
);

it.each(["positions", "value", "user-stats", "trades"])(
  "the sandbox without the first Data API has /v2/%s",
  async (path) => {
    const user = "0x0000000000000000000000000000000000000001";
    const [both, alone] = await Promise.all(
      ["data", "data-v2"].map(async (mount) => {
        const answer = await fetch(`${sandbox.url}/${mount}/v2/${path}?user=${user}`);
        expect(answer.status).toBe(200);
        return answer.json() as Promise<unknown>;
      }),
    );
    expect(alone).toEqual(both);
  },
);
