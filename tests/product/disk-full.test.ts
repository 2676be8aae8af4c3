import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  demoKey,
  expectCleanBooks,
  NO_LIMITS,
  preparedDataDir,
  send,
  startProduct,
  until,
} from "@/tests/support/product/product";

const MEGABYTE = 1024 * 1024;
const DISK = "400m";
/** Bytes that the database can write before the disk is full. */
const ROOM_BYTES = MEGABYTE;
const MOST_ORDERS = 4_000;

const disk = mkdtempSync(join(tmpdir(), "ante-disk-"));
const isMounted = mountDisk();

// Registered first, so that it runs last: the servers must stop before their disk is unmounted.
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  rmSync(disk, { recursive: true, force: true });
});
cleanUpAfterwards();

/** Mounts a small file system, if the machine permits it. */
function mountDisk(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk except for so many bytes. */
function fillDisk(filler: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - ROOM_BYTES), 1));
}

it.skipIf(!isMounted)(
  "a full disk causes 502, and every acknowledged order exists afterwards",
  async () => {
    const dataDir = join(disk, "data");
    mkdirSync(dataDir, { mode: 0o700 });
    cpSync(preparedDataDir(), dataDir, { recursive: true });
    const env = { ...NO_LIMITS, LOG_LEVEL: "fatal" };
    const product = await startProduct({ dataDir, env });
    const key = demoKey(product);
    const tokenId = await anyToken(product.port, key);
    const place = (index: number) =>
      send(product.port, {
        method: "POST",
        path: "/v1/orders",
        key,
        body: {
          tokenId,
          action: "BUY",
          orderType: "limit",
          price: 0.1,
          shares: 5,
          idempotencyKey: `full-${index}`,
        },
      });
    const filler = join(disk, "filler");
    fillDisk(filler);
    const told = new Map<number, string>();
    let refusals = 0;
    let index = 0;
    for (; index < MOST_ORDERS && refusals < 20; index += 1) {
      const answer = await place(index);
      expect([200, 400, 502], answer.text).toContain(answer.status);
      if (answer.status === 200) told.set(index, answer.text);
      if (answer.status === 502) refusals += 1;
    }
    const refused = await place(index);
    process.stdout.write(
      `disk full after ${told.size} orders: ${refused.status} ${readCode(refused)}\n`,
    );
    expect(refusals).toBe(20);
    expect(told.size).toBeGreaterThan(0);

    // With free space it recovers, immediately or after a restart.
    rmSync(filler);
    await product.crash();
    const again = await startProduct({ dataDir, env, port: product.port });
    for (const [known, text] of told) {
      const repeated = await place(known);
      expect(repeated.text).toBe(text);
      expect(repeated.headers["idempotent-replayed"]).toBe("true");
    }
    const path = "/v1/orders/open?onlyFirstPage=false";
    const open = await until("the open orders", async () =>
      send(again.port, { method: "GET", path, key }),
    );
    expect(readData<{ orders: unknown[] }>(open).orders.length).toBeGreaterThanOrEqual(
      Math.min(told.size, 1_000),
    );
    expect((await place(index)).status).toBe(200);
    expect((await again.stop()).code).toBe(0);
    await expectCleanBooks({ DATA_DIR: dataDir });
  },
);
