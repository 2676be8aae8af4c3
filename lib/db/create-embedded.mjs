// Creates an embedded database directory: `node create-embedded.mjs DIRECTORY`.
//
// It runs as a process of its own because creating takes 700 MB that WebAssembly never gives back,
// while opening what was created here takes a quarter of that.
import { rename, rm } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";

const [directory] = process.argv.slice(2);
if (!directory) throw new Error("usage: create-embedded.mjs DIRECTORY");

const unfinished = `${directory}.creating`;
await rm(unfinished, { recursive: true, force: true });
const database = await PGlite.create({
  dataDir: unfinished,
  postgresqlconf: ["shared_buffers=16MB", "wal_buffers=1MB", "max_wal_size=64MB"],
});
await database.close();
await rename(unfinished, directory);
