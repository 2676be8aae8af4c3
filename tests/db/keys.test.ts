import { readBearer } from "@/lib/auth/bearer";
import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import type { Scope } from "@/lib/auth/principal";
import { setClock } from "@/lib/clock";
import { getDb, selectRows, withTransaction } from "@/lib/db/client";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { createKey, type NewKey } from "@/lib/auth/create-key";
import { describeKey } from "@/lib/limits/describe-key";
import { revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const START = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
let now = START;
const restore = setClock(() => now);
beforeEach(() => {
  now = START;
});
afterAll(restore);

const newKey = (input: NewKey) => withTransaction((tx) => createKey(tx, input));

function keyRequest(userId: string, change: Partial<NewKey> = {}): NewKey {
  return { userId, name: "bot", mode: "paper", scopes: ["read"], expiresAt: null, ...change };
}

function use(apiKey: string, scope: Scope | null = null) {
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  return authenticate(readBearer(headers), scope, { address: "127.0.0.1" });
}

async function readCode(attempt: Promise<unknown>): Promise<string | null> {
  const end = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  return end === null ? null : String((end as { code?: unknown }).code);
}

async function keyRow(id: string) {
  const [row] = await (await getDb()).select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error(`key ${id} exists`);
  return row;
}

const readKeys = async (userId: string) =>
  (await getDb()).select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(apiKeys.id);

/** Returns a key with a valid checksum, the same public id and another secret. */
function forge(apiKey: string, mode: "paper" | "live" = "paper"): string {
  const id = apiKey.slice("ante_paper_".length).slice(0, 8);
  const body = `ante_${mode}_${id}${"s".repeat(32)}`;
  return body + base62(crc32(body));
}

function base62(value: number): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let text = "";
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) {
    text = (digits[rest % 62] ?? "") + text;
  }
  return text;
}

describe("a new key", () => {
  it.each(["paper", "live"] as const)("of mode %s has the documented format", async (mode) => {
    const { userId } = await makeUser();
    const { apiKey, keyId } = await newKey(keyRequest(userId, { mode }));
    expect(apiKey).toMatch(new RegExp(`^ante_${mode}_${keyId}[0-9A-Za-z]{32}[0-9A-Za-z]{6}$`));
    expect(keyId).toMatch(/^[0-9A-Za-z]{8}$/);
    expect(apiKey.slice(-6)).toBe(base62(crc32(apiKey.slice(0, -6))));
    expect(await use(apiKey)).toEqual({
      userId,
      mode,
      keyId,
      scopes: ["read"],
      isLimited: false,
    });
  });

  it("describes itself, without its secret", async () => {
    const { userId } = await makeUser();
    const expiresAt = new Date(START + HOUR);
    const { apiKey } = await newKey(keyRequest(userId, { scopes: ["cancel"], expiresAt }));
    const principal = await use(apiKey);
    expect(await describeKey(principal)).toMatchObject({
      id: principal.keyId,
      userId,
      name: "bot",
      mode: "paper",
      scopes: ["cancel"],
      createdAt: new Date(START),
      expiresAt,
    });
  });

  it("is stored only as an HMAC with the pepper", async () => {
    const { userId } = await makeUser();
    const { apiKey, keyId } = await newKey(keyRequest(userId));
    const secret = apiKey.slice(-38, -6);
    const db = await getDb();
    const tables = await selectRows<{ name: string }>(
      db,
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const found = await selectRows(
        db,
        sql`select 1 from ${sql.identifier(name)} t where position(${secret} in t::text) > 0`,
      );
      expect(found).toEqual([]);
    }
    const hmac = createHmac("sha256", process.env["API_KEY_PEPPER"] ?? "").update(apiKey);
    expect((await keyRow(keyId)).secretHash).toBe(hmac.digest("hex"));
  });
});

describe("a key's checks", () => {
  it("an unknown id and a wrong secret get the same response", async () => {
    const { apiKey } = await makeUser();
    const random = `${"Z".repeat(8)}${"s".repeat(32)}`;
    const unknown = `ante_paper_${random}${base62(crc32(`ante_paper_${random}`))}`;
    const answers = await Promise.all(
      [unknown, forge(apiKey)].map((key) =>
        use(key).catch(({ code, message }: { code: string; message: string }) => [code, message]),
      ),
    );
    expect(answers[0]).toEqual(["INVALID_API_KEY", "The API key doesn't exist."]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it("a paper key with its mode changed to live is rejected", async () => {
    const { apiKey } = await makeUser();
    const body = apiKey.replace("ante_paper_", "ante_live_").slice(0, -6);
    expect(await readCode(use(body + base62(crc32(body))))).toBe("INVALID_API_KEY");
    expect(await readCode(use(forge(apiKey, "live")))).toBe("INVALID_API_KEY");
  });

  it("check revocation, then expiry, then the account, then the scope", async () => {
    const { userId } = await makeUser();
    const { apiKey, keyId } = await newKey(
      keyRequest(userId, { expiresAt: new Date(START + HOUR) }),
    );
    expect(await readCode(use(apiKey, "read"))).toBeNull();
    expect(await readCode(use(apiKey, "trade"))).toBe("INSUFFICIENT_SCOPE");
    const db = await getDb();
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, userId));
    expect(await readCode(use(apiKey, "trade"))).toBe("ACCOUNT_DISABLED");
    now = START + HOUR;
    expect(await readCode(use(apiKey, "trade"))).toBe("API_KEY_EXPIRED");
    await db
      .update(apiKeys)
      .set({ revokedAt: new Date(now) })
      .where(eq(apiKeys.id, keyId));
    expect(await readCode(use(apiKey, "trade"))).toBe("API_KEY_REVOKED");
  });

  it("works until the instant before it expires", async () => {
    const { userId } = await makeUser();
    const { apiKey } = await newKey(keyRequest(userId, { expiresAt: new Date(START + HOUR) }));
    now = START + HOUR - 1;
    expect(await readCode(use(apiKey))).toBeNull();
    now = START + HOUR;
    expect(await readCode(use(apiKey))).toBe("API_KEY_EXPIRED");
  });
});

describe("revoking", () => {
  it("ends the key immediately and permanently, and no other key", async () => {
    const { userId, apiKey: other } = await makeUser();
    const { apiKey, keyId } = await newKey(keyRequest(userId));
    await revokeKey(userId, keyId);
    expect(await readCode(use(apiKey))).toBe("API_KEY_REVOKED");
    expect(await readCode(use(other))).toBeNull();
    expect(await readCode(revokeKey(userId, keyId))).toBe("INVALID_API_KEY");
    expect((await keyRow(keyId)).revokedAt).toEqual(new Date(START));
  });

  it("rejects another user's key and an unknown key, and changes nothing", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    const before = await readKeys(theirs.userId);
    const attempt = readCode(revokeKey(mine.userId, theirs.principal.keyId));
    const unknown = readCode(revokeKey(mine.userId, "unknown0"));
    expect([await attempt, await unknown]).toEqual(["INVALID_API_KEY", "INVALID_API_KEY"]);
    expect(await readKeys(theirs.userId)).toEqual(before);
    expect(await readCode(use(theirs.apiKey))).toBeNull();
  });
});

describe("rotating", () => {
  it("makes the new key work immediately, and the old one until the end of the overlap", async () => {
    const { userId } = await makeUser();
    const old = await newKey(keyRequest(userId, { name: "desk", scopes: ["read", "cancel"] }));
    const fresh = await rotateKey(userId, old.keyId, { overlapMs: HOUR });
    expect(fresh.apiKey).not.toBe(old.apiKey);
    expect(await use(fresh.apiKey)).toMatchObject({ userId, scopes: ["read", "cancel"] });
    expect(await keyRow(fresh.keyId)).toMatchObject({ name: "desk", mode: "paper" });
    expect((await keyRow(old.keyId)).replacedBy).toBe(fresh.keyId);
    now = START + HOUR - 1;
    expect(await readCode(use(old.apiKey))).toBeNull();
    now = START + HOUR;
    expect(await readCode(use(old.apiKey))).toBe("API_KEY_EXPIRED");
    expect(await readCode(use(fresh.apiKey))).toBeNull();
  });

  it("ends the old key immediately without an overlap", async () => {
    const { userId } = await makeUser();
    const old = await newKey(keyRequest(userId));
    const fresh = await rotateKey(userId, old.keyId, { overlapMs: 0 });
    expect(await readCode(use(old.apiKey))).toBe("API_KEY_EXPIRED");
    expect(await readCode(use(fresh.apiKey))).toBeNull();
  });

  it("never extends a key's expiry", async () => {
    const { userId } = await makeUser();
    const expiresAt = new Date(START + HOUR);
    const old = await newKey(keyRequest(userId, { expiresAt }));
    const fresh = await rotateKey(userId, old.keyId, { overlapMs: 10 * HOUR });
    expect((await keyRow(old.keyId)).expiresAt).toEqual(expiresAt);
    expect((await keyRow(fresh.keyId)).expiresAt).toEqual(expiresAt);
  });

  it("rejects a revoked key and another user's key", async () => {
    const [mine, theirs] = [await makeUser(), await makeUser()];
    await revokeKey(mine.userId, mine.principal.keyId);
    const before = [await readKeys(mine.userId), await readKeys(theirs.userId)];
    for (const keyId of [mine.principal.keyId, theirs.principal.keyId]) {
      expect(await readCode(rotateKey(mine.userId, keyId, { overlapMs: HOUR }))).toBe(
        "INVALID_API_KEY",
      );
    }
    expect([await readKeys(mine.userId), await readKeys(theirs.userId)]).toEqual(before);
  });
});

describe("the number of keys", () => {
  it("is limited to 20 active keys, without revoked and expired ones", async () => {
    const { userId } = await makeUser();
    const made: string[] = [];
    for (let index = 0; index < 19; index += 1) {
      const expiresAt = index === 0 ? new Date(START + HOUR) : null;
      made.push((await newKey(keyRequest(userId, { expiresAt }))).keyId);
    }
    const before = await readKeys(userId);
    expect(before).toHaveLength(20);
    const attempt = newKey(keyRequest(userId));
    await expect(attempt).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "An account can have at most 20 active API keys.",
    });
    expect(await readKeys(userId)).toEqual(before);
    await revokeKey(userId, made[1] ?? "");
    expect(await readCode(newKey(keyRequest(userId)))).toBeNull();
    now = START + HOUR;
    expect(await readCode(newKey(keyRequest(userId)))).toBeNull();
    expect(await readCode(newKey(keyRequest(userId)))).toBe("VALIDATION_ERROR");
  });

  it("allows rotating one of 20 active keys only without an overlap", async () => {
    const { userId } = await makeUser();
    const expiresAt = new Date(START + HOUR);
    const ending = await newKey(keyRequest(userId, { expiresAt }));
    for (let index = 0; index < 18; index += 1) await newKey(keyRequest(userId));
    const [first] = await readKeys(userId);
    const before = await readKeys(userId);
    expect(before).toHaveLength(20);
    const keyId = first?.id ?? "";
    expect(await readCode(rotateKey(userId, keyId, { overlapMs: HOUR }))).toBe("VALIDATION_ERROR");
    expect(await readKeys(userId)).toEqual(before);
    expect(await readCode(rotateKey(userId, keyId, { overlapMs: 0 }))).toBeNull();
    expect(await readCode(newKey(keyRequest(userId)))).toBe("VALIDATION_ERROR");
    // Rotating an ended key doesn't free a slot.
    now = START + HOUR;
    expect(await readCode(newKey(keyRequest(userId)))).toBeNull();
    expect(await readCode(rotateKey(userId, ending.keyId, { overlapMs: 0 }))).toBe(
      "VALIDATION_ERROR",
    );
  });

  it("stays within 20 for concurrent requests", async () => {
    const { userId } = await makeUser();
    const attempts = Array.from({ length: 40 }, () => readCode(newKey(keyRequest(userId))));
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === null)).toHaveLength(19);
    expect(await readKeys(userId)).toHaveLength(20);
  });
});

describe("the last use", () => {
  it("is recorded at most once a minute", async () => {
    const { userId } = await makeUser();
    const { apiKey, keyId } = await newKey(keyRequest(userId));
    const writes = await countWrites(keyId);
    const noted = (at: number) =>
      expect
        .poll(async () => (await keyRow(keyId)).lastUsedAt?.getTime(), { timeout: 10_000 })
        .toBe(at);
    expect((await keyRow(keyId)).lastUsedAt).toBeNull();
    await Promise.all([use(apiKey), use(apiKey), use(apiKey)]);
    await noted(START);
    for (const later of [1, 30_000, 59_999]) {
      now = START + later;
      await use(apiKey);
    }
    now = START + 60_001;
    await use(apiKey);
    await noted(START + 60_001);
    expect(await writes()).toBe(2);
  });

  it("is not recorded for a rejected key", async () => {
    const { userId } = await makeUser();
    const { apiKey, keyId } = await newKey(keyRequest(userId, { expiresAt: new Date(START) }));
    const writes = await countWrites(keyId);
    expect(await readCode(use(apiKey))).toBe("API_KEY_EXPIRED");
    expect(await readCode(use(forge(apiKey)))).toBe("INVALID_API_KEY");
    const other = await newKey(keyRequest(userId));
    await use(other.apiKey);
    await expect
      .poll(async () => (await keyRow(other.keyId)).lastUsedAt, { timeout: 10_000 })
      .not.toBeNull();
    expect(await writes()).toBe(0);
  });
});

/** Counts writes to a key with a trigger. */
async function countWrites(keyId: string): Promise<() => Promise<number>> {
  const db = await getDb();
  const name = `key_writes_${randomBytes(4).toString("hex")}`;
  await db.execute(sql.raw(`create table ${name} (id text)`));
  await db.execute(
    sql.raw(`create function ${name}() returns trigger language plpgsql as
      $$ begin insert into ${name} values (new.id); return new; end $$`),
  );
  await db.execute(
    sql.raw(`create trigger ${name} after update on api_keys for each row
      execute function ${name}()`),
  );
  return async () => {
    const rows = await selectRows<{ id: string }>(db, sql.raw(`select id from ${name}`));
    return rows.filter(({ id }) => id === keyId).length;
  };
}
