import { describe, expect, it } from "vitest";
import { setLimits } from "@/lib/limits/change-limits";
import { usdc } from "@/lib/units";
import { callApi } from "@/tests/support/api/call-api";
import { useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

const readLimits = async (user: TestUser) =>
  (await callApi("GET", "/v1/key", { key: user.apiKey })).body.data as unknown as {
    limits: Record<string, object>;
    frozen: object | null;
  };

const limitKey = ({ userId, principal: { keyId } }: TestUser, limits: object) =>
  setLimits({ userId, subject: { scope: "key", keyId }, limits });

describe("GET /v1/key", () => {
  it("shows each limit with what is used of it, as decimal text", async () => {
    const user = await makeUser();
    await limitKey(user, { perDay: usdc(100_500_000n), ordersPerMinute: 5, actions: ["BUY"] });
    expect((await readLimits(user)).limits).toEqual({
      perDay: {
        limit: "100.5",
        used: "0",
        reserved: "0",
        remaining: "100.5",
        resetsAt: null,
        scope: "key",
      },
      ordersPerMinute: {
        limit: 5,
        used: 0,
        reserved: 0,
        remaining: 5,
        resetsAt: null,
        scope: "key",
      },
      actions: { limit: ["BUY"], scope: "key" },
    });
  });
});

describe("PATCH /v1/key", () => {
  const patch = (user: TestUser, limits: unknown) =>
    callApi("PATCH", "/v1/key", { key: user.apiKey, body: { limits } });

  it("lowers a limit and answers with the key", async () => {
    const user = await makeUser(undefined, ["read"]);
    await limitKey(user, { perDay: usdc(100_000_000n) });
    const answer = await patch(user, { perDay: "99.999999" });
    expect(answer.status).toBe(200);
    expect((await readLimits(user)).limits).toMatchObject({ perDay: { limit: "99.999999" } });
  });

  it.each([
    ["raised", { perDay: "100.000001" }],
    ["too precise", { perDay: "1.0000001" }],
    ["negative", { perDay: "-1" }],
    ["a number", { perDay: 5 }],
    ["unknown", { perYear: "5" }],
    ["a wide list", { actions: ["BUY", "STEAL"] }],
    ["a market without a kind", { markets: ["everything"] }],
    ["an address that is none", { ipAllow: ["300.0.0.1"] }],
  ])("refuses a limit that is %s, and changes nothing", async (_, limits) => {
    const user = await makeUser();
    await limitKey(user, { perDay: usdc(100_000_000n) });
    await expectRefusal({ code: "VALIDATION_ERROR" }, () => patch(user, limits));
    expect((await readLimits(user)).limits).toMatchObject({ perDay: { limit: "100" } });
  });
});

describe("POST /v1/freeze", () => {
  it("freezes the key that asks, which can still read, cancel and ask again", async () => {
    const user = await makeUser();
    const first = await callApi("POST", "/v1/freeze", { key: user.apiKey });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({ keyId: user.principal.keyId });
    expect(await callApi("POST", "/v1/freeze", { key: user.apiKey })).toMatchObject({
      body: first.body,
    });
    expect((await readLimits(user)).frozen).toMatchObject({ scope: "key" });
    const canceled = await callApi("DELETE", "/v1/orders", { key: user.apiKey });
    expect(canceled.status).toBe(200);
  });
});

describe("ipAllow", () => {
  const ask = (user: TestUser, address: string) =>
    callApi("GET", "/v1/account/balance", {
      key: user.apiKey,
      headers: { "x-forwarded-for": address },
    });

  it.each([
    ["203.0.113.0/24", "203.0.113.7", "203.0.114.7"],
    ["203.0.113.7", "::ffff:203.0.113.7", "203.0.113.8"],
    ["2001:db8::/32", "2001:db8::1", "2001:db9::1"],
  ])("%s lets requests from %s in, and none from %s", async (range, inside, outside) => {
    const user = await makeUser();
    await limitKey(user, { ipAllow: [range] });
    expect((await ask(user, inside)).status).toBe(200);
    await expectRefusal({ code: "ADDRESS_NOT_ALLOWED" }, () => ask(user, outside));
    await expectRefusal({ code: "ADDRESS_NOT_ALLOWED" }, () => ask(user, "unknown"));
  });
});
