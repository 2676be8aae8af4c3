import { expect, it } from "vitest";
import { findSession } from "@/lib/auth/session";
import { startSession } from "@/lib/auth/start-session";
import { getDb } from "@/lib/db/client";
import { pushSubscriptions } from "@/lib/db/schema/push";
import { turnOnPush } from "@/lib/push/manage-push";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeBrowser } from "@/tests/support/push/browser";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

async function turnOn(endpoint: string): Promise<void> {
  const { userId } = await makeUser();
  const { cookie } = await startSession(userId, { address: "1", userAgent: "Firefox/132.0" });
  const session = await findSession(cookie);
  if (!session) throw new Error("the session is over");
  await turnOnPush(session, makeBrowser(endpoint), { showsAmounts: true });
}

it.each([
  "http://push.shop.com/1",
  "https://localhost/1",
  "https://127.0.0.1/1",
  "https://[::1]/1",
  "https://192.168.1.1/1",
  "https://169.254.169.254/latest/meta-data",
  "https://metadata.google.internal/1",
])("a push service at %s is refused", async (endpoint) => {
  await expect(turnOn(endpoint)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await (await getDb()).select().from(pushSubscriptions)).toEqual([]);
});

it("a push service with a public address is accepted", async () => {
  await turnOn("https://push.shop.com/1");
  expect(await (await getDb()).select().from(pushSubscriptions)).toHaveLength(1);
});
