// Creates an embedded database directory: `node create-embedded.mjs DIRECTORY`.
//
// It runs in a separate process because creating a database takes 700 MB of memory that WebAssembly
// never frees; opening one takes a quarter of that. This process can outlive a server that is killed,
// and then run beside the next server's. So each creates its own folder, the first to finish renames
// its folder to DIRECTORY, and then removes unfinished folders.
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const [directory] = process.argv.slice(2);
if (!directory) throw new Error("usage: create-embedded.mjs DIRECTORY");

const unfinishedPrefix = `${directory}.creating-`;
const unfinished = await mkdtemp(unfinishedPrefix);
const database = await PGlite.create({
  dataDir: unfinished,
  postgresqlconf: ["shared_buffers=16MB", "wal_buffers=1MB", "max_wal_size=64MB"],
});
await database.close();
try {
  await rename(unfinished, directory);
} catch (error) {
  // Another process finished first. Use its database.
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}
const siblings = await readdir(dirname(directory));
for (const name of siblings.filter((sibling) => sibling.startsWith(basename(unfinishedPrefix)))) {
  // A process that still writes there fails at its next write.
  await rm(join(dirname(directory), name), { recursive: true, force: true }).catch(() => undefined);
}
