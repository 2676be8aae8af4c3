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

/** Whether this service has a demo account that anybody may try. */
export async function hasDemoAccount(): Promise<boolean> {
  return (await getDatabase()).kind === "embedded" && existsSync(demoFile());
}

/** Signs in to the demo account without its password: it is there to be tried. */
export async function signInToDemo(browser: Browser): Promise<StartedSession> {
  if (!(await hasDemoAccount())) {
    throw new AppError("VALIDATION_ERROR", "This service has no demo account.");
  }
  const { userId } = DemoFile.parse(JSON.parse(readFileSync(demoFile(), "utf8")));
  return startSession(userId, browser);
}
