import { mkdtempSync, readFileSync, rmSync, statSync, appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JournalEntry } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder = "";
const getPath = () => join(folder, "new/journal.jsonl");
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

describe("the journal in a file", () => {
  it("lists what is not settled, in another process too", async () => {
    const journal = fileJournal(getPath());
    expect(journal.listUnsettled()).toEqual([]);
    for (const key of ["a", "b", "c"]) await journal.begin(entry(key));
    await fileJournal(getPath()).settle("b", ACCEPTED);
    expect(fileJournal(getPath()).listUnsettled()).toEqual([entry("a"), entry("c")]);
  });

  it("can be read by its owner only", async () => {
    await fileJournal(getPath()).begin(entry("a"));
    expect(statSync(getPath()).mode & 0o077).toBe(0);
  });

  it("skips a line that was cut, and keeps the next one whole", async () => {
    const journal = fileJournal(getPath());
    await journal.begin(entry("a"));
    appendFileSync(getPath(), '{"begin":{"idempotencyKey":"cut');
    await journal.begin(entry("b"));
    expect(journal.listUnsettled()).toEqual([entry("a"), entry("b")]);
    expect(readFileSync(getPath(), "utf8")).not.toContain("apiKey");
  });
});
