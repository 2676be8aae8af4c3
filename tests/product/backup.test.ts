import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  readCode,
  readData,
  expectCleanBooks,
  freshDataDir,
  preparedDataDir,
  readDemo,
  runAdmin,
  send,
  startPrepared,
  startProduct,
  traderKey,
} from "@/tests/support/product/product";

cleanUpAfterwards();

const on = (dataDir: string) => ({ DATA_DIR: dataDir });

describe("a backup of the embedded database", () => {
  it("restores every order, balance, key and stored response, and the books agree", async () => {
    const dataDir = preparedDataDir();
    const first = await startProduct({ dataDir });
    const key = traderKey();
    const tokenId = await anyToken(first.port, key);
    const market = { tokenId, action: "BUY", orderType: "market", amount: 5 };
    const limit = { tokenId, action: "BUY", orderType: "limit", price: 0.1, shares: 10 };
    const post = (port: number, body: object) =>
      send(port, { method: "POST", path: "/v1/orders", key, body });
    const told = await post(first.port, { ...market, idempotencyKey: "before the backup" });
    expect(told.status, told.text).toBe(200);
    expect((await post(first.port, limit)).status).toBe(200);
    await first.stop();

    const books = await expectCleanBooks(on(dataDir));
    const file = join(dirname(dataDir), "ante.backup");
    const backup = await runAdmin(["backup", "--to", file, "--json"], on(dataDir));
    expect(backup.code, backup.output).toBe(0);
    expect(JSON.parse(backup.stdout)).toEqual({ file, bytes: statSync(file).size });
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");

    // Changes after the backup are not in it.
    const second = await startProduct({ dataDir });
    const orders = await allOrders(second.port, key);
    await post(second.port, { ...limit, idempotencyKey: "after the backup" });
    await second.stop();

    const restored = freshDataDir();
    mkdirSync(restored, { recursive: true, mode: 0o700 });
    for (const name of ["secrets.json", "demo.json"]) {
      copyFileSync(join(dataDir, name), join(restored, name));
    }
    const restore = await runAdmin(["restore", "--from", file, "--json"], on(restored));
    expect(restore.code, restore.output).toBe(0);
    expect(JSON.parse(restore.stdout)).toMatchObject({
      ok: true,
      orders: books.orders,
      problems: [],
    });
    await expectCleanBooks(on(restored));

    const third = await startProduct({ dataDir: restored });
    expect(await allOrders(third.port, key)).toEqual(orders);
    const again = await post(third.port, { ...market, idempotencyKey: "before the backup" });
    expect(again.text).toBe(told.text);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const open = await send(third.port, { method: "GET", path: "/v1/orders/open", key });
    expect(readData<{ orders: unknown[] }>(open).orders).toHaveLength(1);
    expect((await post(third.port, { ...market, amount: 2 })).status).toBe(200);
    await third.stop();
    await expectCleanBooks(on(restored));
  });

  it("restored with other secrets rejects every key", async () => {
    const dataDir = preparedDataDir();
    const { apiKey: key } = readDemo(dataDir);
    const file = join(dirname(dataDir), "ante.backup");
    expect((await runAdmin(["backup", "--to", file], on(dataDir))).code).toBe(0);
    const restored = freshDataDir();
    const restore = await runAdmin(["restore", "--from", file], on(restored));
    expect(restore.code).toBe(0);
    expect(restore.stdout).toMatch(/secrets are not in the backup.*new ones.*--secrets FILE/s);
    const product = await startProduct({ dataDir: restored });
    const path = "/v1/account/balance";
    const answer = await send(product.port, { method: "GET", path, key });
    expect(readCode(answer)).toBe("INVALID_API_KEY");
    await product.stop();
  });

  it("installs the secrets from a file unless other secrets exist", async () => {
    const dataDir = preparedDataDir();
    const { apiKey: key } = readDemo(dataDir);
    const file = join(dirname(dataDir), "ante.backup");
    expect((await runAdmin(["backup", "--to", file], on(dataDir))).code).toBe(0);
    const restored = freshDataDir();
    const secrets = join(dataDir, "secrets.json");
    const args = ["restore", "--from", file, "--secrets"];
    const wrong = await runAdmin([...args, join(dataDir, "demo.json")], on(restored));
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("not a secrets.json") });
    expect(existsSync(restored)).toBe(false);
    const restore = await runAdmin([...args, secrets, "--json"], on(restored));
    expect(restore.code, restore.output).toBe(0);
    expect(JSON.parse(restore.stdout)).toMatchObject({ ok: true, secrets: "kept" });
    const kept = join(restored, "secrets.json");
    expect((statSync(kept).mode & 0o777).toString(8)).toBe("600");
    const product = await startProduct({ dataDir: restored });
    const path = "/v1/account/balance";
    expect((await send(product.port, { method: "GET", path, key })).status).toBe(200);
    await product.stop();
    const other = preparedDataDir();
    rmSync(join(other, "secrets.json"));
    await runAdmin(["verify"], on(other));
    const taken = await runAdmin([...args, kept], on(other));
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining("with other secrets") });
  });

  it("is refused while a server has the database open, and the server keeps working", async () => {
    const product = await startPrepared();
    const file = join(dirname(product.dataDir), "ante.backup");
    for (const args of [
      ["backup", "--to", file],
      ["restore", "--from", join(product.dataDir, "demo.json")],
    ]) {
      const refused = await runAdmin(args, on(product.dataDir));
      expect(refused.code).toBe(1);
      expect(refused.output).toContain(String(product.pid));
    }
    expect(existsSync(file)).toBe(false);
    const path = "/v1/account/balance";
    const answer = await send(product.port, { method: "GET", path, key: traderKey() });
    expect(answer.status).toBe(200);
    await product.stop();
  });

  it("is refused if it would overwrite something or is not a backup, and leaves nothing behind", async () => {
    const dataDir = preparedDataDir();
    const file = join(dirname(dataDir), "ante.backup");
    writeFileSync(file, "something else");
    const taken = await runAdmin(["backup", "--to", file], on(dataDir));
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining("already exists") });
    const over = await runAdmin(["restore", "--from", file], on(dataDir));
    expect(over).toMatchObject({ code: 1, output: expect.stringContaining("move it away first") });
    await expectCleanBooks(on(dataDir));

    const empty = freshDataDir();
    const broken = await runAdmin(["restore", "--from", file], on(empty));
    expect(broken).toMatchObject({
      code: 1,
      output: expect.stringContaining("not a complete backup"),
    });
    expect(readdirSync(empty).filter((name) => name.startsWith("db"))).toEqual([]);
    // In a truncated file the checksum at the end is missing.
    const whole = join(dirname(dataDir), "whole.backup");
    expect((await runAdmin(["backup", "--to", whole], on(dataDir))).code).toBe(0);
    truncateSync(whole, statSync(whole).size - 100);
    const cut = await runAdmin(["restore", "--from", whole], on(empty));
    expect(cut).toMatchObject({
      code: 1,
      output: expect.stringContaining("not a complete backup"),
    });
    expect(readdirSync(empty).filter((name) => name.startsWith("db"))).toEqual([]);
    const none = await runAdmin(["restore", "--from", `${file}.none`], on(empty));
    expect(none.code).toBe(1);
    const nothing = await runAdmin(["backup", "--to", `${file}.2`], on(empty));
    expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining("no embedded") });
  });
});
