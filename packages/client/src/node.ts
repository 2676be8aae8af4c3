// For Node only: a journal in a file.
import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JournalEntry, LocalJournal, Outcome } from "./journal.ts";

type Line =
  { begin: JournalEntry } | { settle: { idempotencyKey: string; outcome: Outcome; at: string } };

/**
 * A journal in a file with one line of JSON per step. Each line is on disk before the call returns, so a
 * program that is killed finds its order again. Several processes can share a file: lines are appended.
 */
export function fileJournal(path: string): LocalJournal {
  return {
    begin: (entry) => append(path, { begin: entry }),
    settle: (idempotencyKey, outcome) =>
      append(path, { settle: { idempotencyKey, outcome, at: new Date().toISOString() } }),
    listUnsettled: () => listUnsettled(path),
  };
}

function append(path: string, line: Line): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a", 0o600);
  try {
    // The line break comes first: a line that a power failure cut spoils only itself.
    appendFileSync(file, `\n${JSON.stringify(line)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function listUnsettled(path: string): JournalEntry[] {
  const unsettled = new Map<string, JournalEntry>();
  for (const line of readLines(path)) {
    if ("begin" in line) unsettled.set(line.begin.idempotencyKey, line.begin);
    else unsettled.delete(line.settle.idempotencyKey);
  }
  return [...unsettled.values()];
}

function readLines(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Line];
    } catch {
      // A line that was cut was never followed by an attempt.
      return [];
    }
  });
}
