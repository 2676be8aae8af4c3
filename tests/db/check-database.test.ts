import { sql } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { getDb, selectRows } from "@/lib/db/client";
import { inspectDatabase } from "@/lib/server/check-database";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { startPooler } from "@/tests/support/database/pooler";

useFreshDatabase();

/** Returns the URL of this test file's database, whose settings affect no other test. */
async function findUrl(): Promise<URL> {
  const rows = await selectRows<{ name: string }>(
    await getDb(),
    sql`select current_database() as name`,
  );
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${rows[0]?.name}`;
  return url;
}

async function withSetting(name: string, value: string): Promise<void> {
  const database = (await findUrl()).pathname.slice(1);
  const db = await getDb();
  await db.execute(sql.raw(`alter database ${database} set ${name} = ${value}`));
  onTestFinished(async () => {
    await db.execute(sql.raw(`alter database ${database} reset ${name}`));
  });
}

const inspect = async ({ isLive = false } = {}) =>
  inspectDatabase((await findUrl()).toString(), { isLive });

describe.runIf(process.env["TEST_DATABASE"] === "postgres")(
  "the check of a Postgres server (Postgres only)",
  () => {
    it("reports no pooler, no clock difference and no late commits if there are none", async () => {
      const warnings = (await inspect()).join("\n");
      expect(warnings).not.toMatch(/pooler|clock|synchronous/);
    });

    it("reports a pooler that mixes connections, unless it is configured", async () => {
      const url = await findUrl();
      const pooler = await startPooler({ port: Number(url.port) });
      onTestFinished(pooler.close);
      url.port = String(pooler.port);
      url.hostname = "127.0.0.1";
      const inspectAs = (known?: "transaction") =>
        inspectDatabase(url.toString(), { isLive: false, pooler: known });
      const about = /DATABASE_POOLER=transaction/;
      expect((await inspectAs()).filter((warning) => about.test(warning))).toHaveLength(1);
      expect((await inspectAs("transaction")).join("\n")).not.toMatch(/pooler/);
    });

    it("reports synchronous_commit off", async () => {
      await withSetting("synchronous_commit", "off");
      const warnings = (await inspect()).join("\n");
      expect(warnings).toContain("synchronous_commit is off");
    });

    it("reports fsync off", async () => {
      const [row] = await selectRows<{ fsync: string }>(
        await getDb(),
        sql`select current_setting('fsync') as fsync`,
      );
      const warnings = (await inspect()).join("\n");
      expect(warnings.includes("fsync is off")).toBe(row?.fsync === "off");
    });

    it("reports a missing synchronous standby in live mode only", async () => {
      const warnings = (await inspect({ isLive: true })).join("\n");
      expect(warnings).toContain("no synchronous standby");
      expect((await inspect()).join("\n")).not.toContain("standby");
    });

    it.each([
      [90_000, /clock of this host is (89\.\d|90) s ahead of the database's/],
      [-90_000, /clock of this host is (89\.\d|90) s behind the database's/],
    ])("reports a clock that is %i ms off", async (byMs, sentence) => {
      const real = Date.now.bind(Date);
      vi.spyOn(Date, "now").mockImplementation(() => real() + byMs);
      onTestFinished(() => void vi.restoreAllMocks());
      expect((await inspect()).join("\n")).toMatch(sentence);
    });
  },
);
