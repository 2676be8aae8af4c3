import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JournalEntry } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder = "";
const getPath = () => join(folder, "new/journal");
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ante-journal-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (idempotencyKey: string): JournalEntry => ({
  idempotencyKey,
  operation: "placeOrder",
  body: { tokenId: "1", amount: "5" },
  baseUrl: "http://ante.test",
  keyId: "JTBnexNs",
  createdAt: "2026-11-26T12:00:00.000Z",
});
const ACCEPTED = { status: "accepted", data: { orderId: "ord_1" } } as const;

describe("the journal in a folder", () => {
  it("lists what is not settled, in another process too", async () => {
    const journal = fileJournal(getPath());
    expect(journal.listUnsettled()).toEqual([]);
    for (const key of ["a", "b", "c"]) await journal.begin(entry(key));
    await fileJournal(getPath()).settle("b", ACCEPTED);
    expect(fileJournal(getPath()).listUnsettled()).toEqual([entry("a"), entry("c")]);
  });

  it("lists the oldest first", async () => {
    const journal = fileJournal(getPath());
    const minutes = [7, 3, 9, 1, 5];
    for (const minute of minutes)
      await journal.begin({ ...entry(`key ${minute}`), createdAt: `2026-11-26T12:0${minute}:00Z` });
    const listed = journal.listUnsettled().map(({ idempotencyKey }) => idempotencyKey);
    expect(listed).toEqual(minutes.toSorted().map((minute) => `key ${minute}`));
  });

  it("can be read by its owner only", async () => {
    await fileJournal(getPath()).begin(entry("a"));
    expect(statSync(getPath()).mode & 0o077).toBe(0);
    const [file = ""] = readdirSync(getPath());
    expect(statSync(join(getPath(), file)).mode & 0o077).toBe(0);
  });

  it("keeps nothing of what is settled, however many writes there were", async () => {
    const journal = fileJournal(getPath());
    for (let count = 0; count < 50; count += 1) {
      await journal.begin(entry(`key ${count}`));
      await journal.settle(`key ${count}`, ACCEPTED);
    }
    expect(readdirSync(getPath())).toEqual([]);
  });

  it("takes any key, and settles a write twice", async () => {
    const journal = fileJournal(getPath());
    const keys = ["../../a", "a/b", "\u0000", "ä".repeat(128)];
    for (const key of keys) await journal.begin(entry(key));
    expect(
      journal
        .listUnsettled()
        .map(({ idempotencyKey }) => idempotencyKey)
        .toSorted(),
    ).toEqual(keys.toSorted());
    for (const key of [...keys, ...keys]) await journal.settle(key, ACCEPTED);
    expect(journal.listUnsettled()).toEqual([]);
  });

  it("ignores a draft, which was never followed by an attempt", async () => {
    const journal = fileJournal(getPath());
    await journal.begin(entry("a"));
    writeFileSync(join(getPath(), "cut.draft"), '{"idempotencyKey":"cut');
    expect(journal.listUnsettled()).toEqual([entry("a")]);
  });
});
