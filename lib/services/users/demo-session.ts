import "server-only";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { getDatabase } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import {
  type Browser,
  startSession,
  type StartedSession,
} from "@/lib/services/sessions/start-session";
import { demoFile } from "@/lib/services/users/demo-account";

const DemoFile = z.object({ userId: z.string() });

/** The user of the demo account, or null when this service has none that anybody may try. */
export async function findDemoUserId(): Promise<string | null> {
  if ((await getDatabase()).kind !== "embedded" || !existsSync(demoFile())) return null;
  return DemoFile.parse(JSON.parse(readFileSync(demoFile(), "utf8"))).userId;
}

/** Whether this service has a demo account that anybody may try. */
export async function hasDemoAccount(): Promise<boolean> {
  return (await findDemoUserId()) !== null;
}

/** Signs in to the demo account without its password: it is there to be tried. */
export async function signInToDemo(browser: Browser): Promise<StartedSession> {
  const userId = await findDemoUserId();
  if (userId === null) {
    throw new AppError("VALIDATION_ERROR", "This service has no demo account.");
  }
  return startSession(userId, browser);
}
