import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Operation } from "@/lib/api/operations/operation";
import { OPERATIONS } from "@/lib/api/operations";
import { KeyWithLimits } from "@/lib/schemas/limits";
import { createKey } from "@/lib/auth/create-key";
import { callApi } from "@/tests/support/api/call-api";
import { read } from "@/tests/support/api/client";
import { START, useExchange } from "@/tests/support/api/exchange";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

useExchange();

describe("200", () => {
  it("describes the key without its secret", async () => {
    const user = await makeUser();
    const answer = await callApi("GET", "/v1/key", { key: user.apiKey });
    const { lastUsedAt, ...rest } = answer.body.data as unknown as Record<string, unknown>;
    // The current use is recorded in the background.
    expect([null, new Date(START).toISOString()]).toContain(lastUsedAt);
    expect(rest).toEqual({
      id: user.principal.keyId,
      userId: user.userId,
      name: "test",
      mode: "paper",
      scopes: SCOPES,
      createdAt: new Date(START).toISOString(),
      expiresAt: null,
      limits: {},
      frozen: null,
    });
    // The public part can be shown, the secret never.
    const secret = user.apiKey.slice("ante_paper_".length + 8);
    expect(answer.text).not.toContain(secret.slice(0, 8));
  });

  it.each([["read"], ["trade"], ["cancel"]] as const)(
    "a key with only the scope %s can describe itself",
    async (scope) => {
      const { apiKey } = await makeUser(undefined, [scope]);
      expect((await read(KeyWithLimits, "/v1/key", apiKey)).scopes).toEqual([scope]);
    },
  );

  it("a key without scopes, and one with an expiry, can describe itself", async () => {
    const user = await makeUser();
    const expiresAt = new Date(START + 1_000);
    const { apiKey, keyId } = await createKey(await getDb(), {
      userId: user.userId,
      name: "naïve 😀",
      mode: "paper",
      scopes: [],
      expiresAt,
    });
    expect(await read(KeyWithLimits, "/v1/key", apiKey)).toMatchObject({
      id: keyId,
      name: "naïve 😀",
      scopes: [],
      expiresAt,
    });
  });

  it("a used key has its last use", async () => {
    const user = await makeUser();
    await callApi("GET", "/v1/key", { key: user.apiKey });
    await expect
      .poll(async () => (await read(KeyWithLimits, "/v1/key", user.apiKey)).lastUsedAt, {
        timeout: 5_000,
      })
      .toEqual(new Date(START));
  });
});

describe("401", () => {
  it("a request without a key is rejected", () =>
    expectRefusal({ code: "MISSING_API_KEY" }, () => callApi("GET", "/v1/key")));
});

describe("a live key while live trading is off", () => {
  let apiKey = "";
  beforeAll(async () => {
    const { userId } = await makeUser();
    const made = { userId, name: "live", mode: "live", scopes: SCOPES, expiresAt: null } as const;
    ({ apiKey } = await createKey(await getDb(), made));
  });

  it("can describe itself", async () => {
    expect((await read(KeyWithLimits, "/v1/key", apiKey)).mode).toBe("live");
  });

  it.each(
    Object.values<Operation>(OPERATIONS).filter(({ access }) => !["open", "key"].includes(access)),
  )("$method $path is paused for it", async ({ method, path }) => {
    const target = path.replaceAll(/\{\w+\}/g, "ord_01JD0000000000000000000000");
    await expectRefusal({ code: "TRADING_PAUSED", message: "Live trading is off" }, () =>
      callApi(method, target, { key: apiKey }),
    );
  });
});
