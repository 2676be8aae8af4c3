import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { getDatabase } from "@/lib/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

export const DemoFile = z.object({
  userId: z.string(),
  email: z.string(),
  password: z.string(),
  apiKey: z.string(),
});

/** Returns the path of the file with the demo account's credentials. */
export function demoFile(): string {
  return join(env().DATA_DIR, "demo.json");
}

/** Reads the demo file; null if it does not exist or does not fit the schema. */
export function readDemoFile<S extends z.ZodType>(schema: S): z.output<S> | null {
  if (!existsSync(demoFile())) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(demoFile(), "utf8")));
  } catch {
    return null;
  }
}

/** Returns the user of the shared demo account; null if this service has none. */
export async function findDemoUserId(): Promise<string | null> {
  if ((await getDatabase()).kind !== "embedded") return null;
  return readDemoFile(DemoFile.pick({ userId: true }))?.userId ?? null;
}

/** Whether everyone who tries the demo shares this account, so that no user may lock out the others. */
export async function isSharedAccount(userId: string): Promise<boolean> {
  return (await findDemoUserId()) === userId;
}

/** Throws if everyone who tries the demo shares this account. */
export async function assertNotShared(userId: string): Promise<void> {
  if (!(await isSharedAccount(userId))) return;
  throw new AppError(
    "VALIDATION_ERROR",
    "This can't be changed: everyone who tries the demo shares this account.",
  );
}
