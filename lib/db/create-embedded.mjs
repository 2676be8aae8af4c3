// Creates an embedded database directory: `node create-embedded.mjs DIRECTORY`.
//
// It runs as a process of its own because creating takes 700 MB that WebAssembly never gives back,
// while opening what was created here takes a quarter of that. It may outlive the server that asked
// for it, when that one is killed, and then meet the next server's: each works in a folder of its
// own, the first to finish gives its folder the name, and only then are unfinished ones removed.
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
  // Another process was faster, and what it made is as good.
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}
const siblings = await readdir(dirname(directory));
for (const name of siblings.filter((sibling) => sibling.startsWith(basename(unfinishedPrefix)))) {
  // Whoever still writes there fails at its next write, and finds the database in its place.
  await rm(join(dirname(directory), name), { recursive: true, force: true }).catch(() => undefined);
}
