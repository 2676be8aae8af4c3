import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { findSession, type Session } from "@/lib/auth/session";
import { startSession } from "@/lib/auth/start-session";
import { setClock } from "@/lib/clock";
import { streamSessionEvents } from "@/lib/events/stream-session-events";
import { readHead } from "@/lib/events/read-events";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 12);
let now = START;
afterAll(setClock(() => now));

let session: Session;
beforeEach(async () => {
  now = START;
  const { userId, principal } = await makeUser();
  // The deposit of the account is its last event, at this time.
  expect(await readHead(principal)).toBeGreaterThan(0);
  now = START + 10 * MINUTE;
  const { cookie } = await startSession(userId, { address: "::1", userAgent: "Firefox/132.0" });
  const found = await findSession(cookie);
  if (!found) throw new Error("the session has started");
  session = found;
});

/** Opens the stream of a page and returns the name of its first event; null if it has none of its own. */
async function readFirst(query: string): Promise<string | null> {
  const left = new AbortController();
  const events = await streamSessionEvents({
    session,
    query: new URLSearchParams(query),
    lastEventId: null,
    signal: left.signal,
    isSignedIn: async () => true,
  });
  const { value } = await events.next();
  left.abort();
  await events.return(undefined);
  return value && "event" in value ? value.event : null;
}

describe("the stream of a page", () => {
  it("begins with behind if the account has changed since the page's figures", async () => {
    expect(await readFirst(`since=${START - 1}`)).toBe("behind");
    expect(await readFirst("since=0")).toBe("behind");
  });

  it("begins with behind if a change was perhaps committed after the figures were read", async () => {
    expect(await readFirst(`since=${START + 1_000}`)).toBe("behind");
  });

  it("has no behind if the account has not changed since long before the page's figures", async () => {
    expect(await readFirst(`since=${START + 10 * MINUTE}`)).toBeNull();
  });

  it("has no behind for a page that reads its figures anyway", async () => {
    expect(await readFirst("")).toBeNull();
  });
});
