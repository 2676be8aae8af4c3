import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { ROUTES, type RouteSpec } from "@/lib/http/routes";
import { ApiKey } from "@/lib/schemas/account";
import { createKey } from "@/lib/services/keys/create-key";
import { callApi } from "@/tests/support/api";
import { read } from "@/tests/support/api-client";
import { START, useExchange } from "@/tests/support/api-exchange";
import { expectRefusal } from "@/tests/support/api-state";
import { makeUser } from "@/tests/support/users";

useExchange();

describe("200", () => {
  it("a key tells everything about itself but itself", async () => {
    const user = await makeUser();
    const answer = await callApi("GET", "/v1/key", { key: user.apiKey });
    const { lastUsedAt, ...rest } = answer.body.data as unknown as Record<string, unknown>;
    // The use that is being answered is noted beside the answer.
    expect([null, new Date(START).toISOString()]).toContain(lastUsedAt);
    expect(rest).toEqual({
      id: user.principal.keyId,
      userId: user.userId,
      name: "test",
      mode: "paper",
      scopes: ["read", "trade", "cancel"],
      createdAt: new Date(START).toISOString(),
      expiresAt: null,
    });
    // The public part may be shown, the secret behind it never.
    const secret = user.apiKey.slice("ante_paper_".length + 8);
    expect(answer.text).not.toContain(secret.slice(0, 8));
  });

  it.each([["read"], ["trade"], ["cancel"]] as const)(
    "a key with the single scope %s may ask what it is",
    async (scope) => {
      const { apiKey } = await makeUser(undefined, [scope]);
      expect((await read(ApiKey, "/v1/key", apiKey)).scopes).toEqual([scope]);
    },
  );

  it("a key without any scope, and one that expires, may ask, too", async () => {
    const user = await makeUser();
    const expiresAt = new Date(START + 1_000);
    const { apiKey, keyId } = await createKey(await getDb(), {
      userId: user.userId,
      name: "naïve 😀",
      mode: "paper",
      scopes: [],
      expiresAt,
    });
    expect(await read(ApiKey, "/v1/key", apiKey)).toMatchObject({
      id: keyId,
      name: "naïve 😀",
      scopes: [],
      expiresAt,
    });
  });

  it("a key that was used before tells when", async () => {
    const user = await makeUser();
    await callApi("GET", "/v1/key", { key: user.apiKey });
    await expect
      .poll(async () => (await read(ApiKey, "/v1/key", user.apiKey)).lastUsedAt, { timeout: 5_000 })
      .toEqual(new Date(START));
  });
});

describe("401", () => {
  it("without a key there is nothing to describe", () =>
    expectRefusal({ code: "MISSING_API_KEY" }, () => callApi("GET", "/v1/key")));
});

describe("a live key while live trading is not switched on", () => {
  let apiKey = "";
  beforeAll(async () => {
    const { userId } = await makeUser();
    const made = { userId, name: "live", mode: "live", scopes: SCOPES, expiresAt: null } as const;
    ({ apiKey } = await createKey(await getDb(), made));
  });

  it("may ask what it is", async () => {
    expect((await read(ApiKey, "/v1/key", apiKey)).mode).toBe("live");
  });

  it.each(
    Object.values<RouteSpec>(ROUTES).filter(({ access }) => !["open", "key"].includes(access)),
  )("$method $path does nothing for it", async ({ method, path }) => {
    const target = path.replaceAll(/\{\w+\}/g, "ord_01JD0000000000000000000000");
    await expectRefusal({ code: "TRADING_PAUSED", message: "live" }, () =>
      callApi(method, target, { key: apiKey }),
    );
  });
});
