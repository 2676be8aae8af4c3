import "server-only";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { lockDataDirectory } from "@/lib/db/data-directory-lock";

/**
 * Writes an embedded database to one file. Throws if the file exists or a process has the database
 * open.
 *
 * @returns the file's size in bytes.
 */
export async function backupEmbedded(dataDir: string, file: string): Promise<number> {
  const directory = join(dataDir, "db");
  if (!existsSync(directory)) throw new Error(`there is no embedded database in ${dataDir}`);
  if (existsSync(file)) throw new Error(`${file} already exists; choose another file`);
  const unlock = await lockDataDirectory(dataDir);
  try {
    const client = await PGlite.create({ dataDir: directory });
    try {
      const archive = Buffer.from(await (await client.dumpDataDir("gzip")).arrayBuffer());
      await writeAtomically(file, archive);
      return archive.length;
    } finally {
      await client.close();
    }
  } finally {
    unlock();
  }
}

/** Restores a backup into a data directory. Throws if it has a database. */
export async function restoreEmbedded(dataDir: string, file: string): Promise<void> {
  const directory = join(dataDir, "db");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockDataDirectory(dataDir);
  try {
    if (existsSync(directory)) {
      throw new Error(`${directory} already exists; move it away first`);
    }
    const archive = await unpack(file);
    // Restored to a temporary folder and renamed, so that the database is complete or missing.
    const temporary = await mkdtemp(`${directory}.restoring-`);
    try {
      const client = await PGlite.create({ dataDir: temporary, loadDataDir: archive });
      await client.close();
      await rename(temporary, directory);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw invalidBackup(file, error);
    }
  } finally {
    unlock();
  }
}

/** Unpacks the file here, because PGlite ends the process on a damaged one. */
async function unpack(file: string): Promise<Blob> {
  const packed = await readFile(file);
  try {
    return new Blob([new Uint8Array(await promisify(gunzip)(packed))]);
  } catch (error) {
    throw invalidBackup(file, error);
  }
}

const invalidBackup = (file: string, cause: unknown) =>
  new Error(`${file} is not a complete backup of an embedded database`, { cause });

/** Writes a file that only its owner can read. The name appears once the content is on disk. */
async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces an existing file.
    await link(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
