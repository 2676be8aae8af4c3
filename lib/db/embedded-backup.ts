import "server-only";
import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { lockDataDirectory } from "@/lib/db/lock";

/**
 * Writes everything of an embedded database into one file. No process may have the database open;
 * a file that is there already is left as it is.
 *
 * @returns the file's size in bytes.
 */
export async function backupEmbedded(dataDir: string, file: string): Promise<number> {
  const directory = join(dataDir, "db");
  if (!existsSync(directory)) throw new Error(`there is no embedded database in ${dataDir}`);
  if (existsSync(file)) throw new Error(`${file} is there already; name another file`);
  const unlock = lockDataDirectory(dataDir);
  try {
    const client = await PGlite.create({ dataDir: directory });
    try {
      const archive = Buffer.from(await (await client.dumpDataDir("gzip")).arrayBuffer());
      await writeWhole(file, archive);
      return archive.length;
    } finally {
      await client.close();
    }
  } finally {
    unlock();
  }
}

/** Makes the embedded database of a data directory that has none out of such a file. */
export async function restoreEmbedded(dataDir: string, file: string): Promise<void> {
  const directory = join(dataDir, "db");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDirectory(dataDir);
  try {
    if (existsSync(directory)) {
      throw new Error(`${directory} is there already; move it away first`);
    }
    const archive = await unpack(file);
    // Restored aside, so that the database is there whole or not at all.
    const aside = await mkdtemp(`${directory}.restoring-`);
    try {
      const client = await PGlite.create({ dataDir: aside, loadDataDir: archive });
      await client.close();
      await rename(aside, directory);
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      throw notABackup(file, error);
    }
  } finally {
    unlock();
  }
}

/** Unpacked here: PGlite would end the process over a file that is not packed, or not to its end. */
async function unpack(file: string): Promise<Blob> {
  const packed = await readFile(file);
  try {
    return new Blob([new Uint8Array(await promisify(gunzip)(packed))]);
  } catch (error) {
    throw notABackup(file, error);
  }
}

const notABackup = (file: string, cause: unknown) =>
  new Error(`${file} is not a whole backup of an embedded database`, { cause });

/** Writes a file that only its owner can read, and gives it its name when it is on the disk. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const aside = `${file}.${process.pid}`;
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a renaming, a link never takes the place of another file.
    await link(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}
