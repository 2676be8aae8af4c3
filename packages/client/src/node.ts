// For Node only: a journal in a folder.
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { JournalEntry, LocalJournal } from "./journal.ts";

const ENDING = ".json";

/**
 * A journal in a folder, with a file for each write whose outcome is not known. The file is on disk before
 * the first attempt, so a program that is killed finds its order again, and it is removed when the outcome
 * is known. Several processes can share a folder.
 */
export function fileJournal(folder: string): LocalJournal {
  return {
    begin: (entry) => begin(folder, entry),
    settle: (idempotencyKey) => {
      rmSync(join(folder, nameFile(idempotencyKey)), { force: true });
      syncFolder(folder);
    },
    listUnsettled: () => listUnsettled(folder),
  };
}

/** Writes a draft and renames it: the file is complete, or it doesn't exist and nothing was sent. */
function begin(folder: string, entry: JournalEntry): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${randomUUID()}.draft`);
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, JSON.stringify(entry));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(folder, nameFile(entry.idempotencyKey)));
  syncFolder(folder);
}

/** A key can have characters that a file's name can't have. */
const nameFile = (idempotencyKey: string) =>
  `${createHash("sha256").update(idempotencyKey).digest("hex")}${ENDING}`;

/** Makes the names of files durable. Windows can't open a folder, and does it by itself. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function listUnsettled(folder: string): JournalEntry[] {
  const rank = ({ createdAt, idempotencyKey }: JournalEntry) => `${createdAt} ${idempotencyKey}`;
  return readFolder(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => readEntry(join(folder, name)))
    .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

const readFolder = (folder: string) => withoutMissing(() => readdirSync(folder), []);

/** Another process can settle an entry while the folder is read. */
const readEntry = (path: string): JournalEntry[] =>
  withoutMissing(() => [JSON.parse(readFileSync(path, "utf8")) as JournalEntry], []);

/** Returns what `read` returns, and `otherwise` if the file or folder doesn't exist. */
function withoutMissing<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}
