import { beforeEach, describe, expect, it } from "vitest";
import { now, setClock } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { createKey } from "@/lib/auth/create-key";
import { findOutage, reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { callApi } from "@/tests/support/api/call-api";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  type LiveUser,
  LONG_TIMEOUTS,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

const venue = await useLiveVenue(LONG_TIMEOUTS);
useFreshDatabase();

let user: LiveUser;
let orderId = "";
let keys: { live: string; paper: string };

beforeEach(async () => {
  venue.fault = () => null;
  user = await makeLiveUser();
  keys = { live: await createKeyFor("live"), paper: await createKeyFor("paper") };
  orderId = (await send(user, RESTING, "resting")).orderId ?? "";
});

async function createKeyFor(mode: "live" | "paper"): Promise<string> {
  const given = { userId: user.userId, name: mode, mode, scopes: ["read" as const] };
  return (await withTransaction((tx) => createKey(tx, { ...given, expiresAt: null }))).apiKey;
}

const readAge = async (path: string, mode: "live" | "paper" = "live") => {
  const answer = await callApi("GET", path, { key: keys[mode] });
  expect(answer.status).toBe(200);
  return answer.headers.get("age");
};

const outage =
  () =>
  async (_: unknown, { drop }: { drop: () => void }) =>
    drop();

/** Reads of the recorded orders and fills, which the reconciliation updates. */
const recordPaths = () => [
  "/v1/orders",
  "/v1/orders/open",
  `/v1/orders/${orderId}`,
  "/v1/fills",
  "/v1/activity",
];

describe("the Age header of a live account", () => {
  it("is the time since the last reconciliation, for orders and fills", async () => {
    let time = now();
    const restore = setClock(() => time);
    await reconcileNow(user.userId);
    for (const path of recordPaths()) expect(await readAge(path), path).toBe("0");
    time += 42_500;
    // The second response may be cached.
    for (const path of [...recordPaths(), ...recordPaths()]) {
      expect(await readAge(path), path).toBe("42");
    }
    restore();
  });

  it("grows while the venue does not respond, and pages name the outage until it does", async () => {
    await reconcileNow(user.userId);
    expect(await findOutage(user.live)).toBeNull();
    const compared = now();
    venue.fault = outage;
    const later = compared + 9_000;
    const restore = setClock(() => later);
    await reconcileNow(user.userId);
    expect(Number(await readAge("/v1/orders/open"))).toBeGreaterThanOrEqual(9);
    const told = await findOutage(user.live);
    expect(told?.since).toBeLessThanOrEqual(compared);
    venue.fault = () => null;
    await reconcileNow(user.userId);
    expect(await readAge("/v1/orders/open")).toBe("0");
    expect(await findOutage(user.live)).toBeNull();
    restore();
  });

  it("is absent before the first reconciliation", async () => {
    for (const path of recordPaths()) expect(await readAge(path), path).toBeNull();
    expect(await findOutage(user.live)).toBeNull();
  });

  it("is the time since cash and positions were read", async () => {
    for (const path of ["/v1/account/balance", "/v1/positions"]) {
      expect(await readAge(path), path).toMatch(/^\d+$/);
    }
  });
});

it("responses of paper accounts have no Age header", async () => {
  const others = ["/v1/account/balance", "/v1/positions", "/v1/orders", "/v1/orders/open"];
  for (const path of others) expect(await readAge(path, "paper"), path).toBeNull();
  expect(await findOutage(user.principal)).toBeNull();
});
