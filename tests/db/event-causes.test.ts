// What the log of an account says of who caused an event.
import { describe, expect, it } from "vitest";
import { depositOnce } from "@/lib/accounts/deposit-once";
import { resetAccount } from "@/lib/accounts/reset-account";
import { revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import type { Principal } from "@/lib/auth/principal";
import { browseEvents } from "@/lib/events/browse-events";
import { listEvents } from "@/lib/events/list-events";
import { toCause } from "@/lib/ledger/account-log";
import { setLimits } from "@/lib/limits/change-limits";
import { lowerKeyLimits } from "@/lib/limits/describe-key";
import { freeze, freezeOwnKey, thaw } from "@/lib/limits/freeze";
import { usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();
useTestClock();

const SESSION = "ses_browser";
const CENT = usdc(10_000n);
const ACCOUNT = { scope: "account", mode: "paper" } as const;
const BY_SESSION = { keyId: null, requestId: expect.stringMatching(/^req_/) as string };
const BY_SERVICE = { keyId: null, requestId: null };

/** Returns the events that a change adds. */
async function readNew({ principal }: TestUser, change: () => Promise<unknown>) {
  const { lastSeq } = await listEvents(principal, {});
  await change();
  const { events } = await browseEvents(principal, {}, undefined);
  const added = events.filter(({ seq }) => seq > lastSeq);
  expect(added).not.toEqual([]);
  return added;
}

type Change = (user: TestUser) => Promise<unknown>;
const browser = ({ userId, principal }: TestUser): Principal => ({
  ...principal,
  userId,
  keyId: null,
  requestId: "req_1",
});

const CHANGES: [string, Change][] = [
  [
    "a deposit",
    (user) => depositOnce(user.userId, "form-of-the-deposit", CENT, toCause(browser(user))),
  ],
  ["a reset", (user) => resetAccount(browser(user), CENT)],
  [
    "a rotated key",
    ({ userId, principal: { keyId } }) =>
      rotateKey(userId, keyId, { overlapMs: 0, sessionId: SESSION }),
  ],
  ["a revoked key", ({ userId, principal: { keyId } }) => revokeKey(userId, keyId, SESSION)],
  [
    "a change of limits",
    ({ userId }) =>
      setLimits({ userId, subject: ACCOUNT, limits: { perOrder: CENT }, sessionId: SESSION }),
  ],
  [
    "a freeze",
    ({ userId }) => freeze({ userId, subject: ACCOUNT, reason: "Enough.", sessionId: SESSION }),
  ],
];

describe("the events of a change in the dashboard", () => {
  it.each(CHANGES)("%s have a request without a key", async (_name, change) => {
    const user = await makeUser();
    for (const event of await readNew(user, () => change(user))) {
      expect(event, event.type).toMatchObject(BY_SESSION);
    }
  });

  it("a thaw have a request without a key", async () => {
    const user = await makeUser();
    await freeze({ userId: user.userId, subject: ACCOUNT, reason: "Enough.", sessionId: SESSION });
    const thawed = () => thaw({ userId: user.userId, subject: ACCOUNT, sessionId: SESSION });
    expect(await readNew(user, thawed)).toMatchObject([{ type: "trading.thawed", ...BY_SESSION }]);
  });
});

describe("the events of other changes", () => {
  it("have no request if the service or the operator made them", async () => {
    const user = await makeUser();
    const { userId } = user;
    const frozen = () => freeze({ userId, subject: ACCOUNT, reason: "The loss is too high." });
    expect(await readNew(user, frozen)).toMatchObject([{ type: "trading.frozen", ...BY_SERVICE }]);
  });

  it("have the key's request if the key changed its limits or froze itself", async () => {
    const user = await makeUser();
    const principal = { ...user.principal, requestId: "req_2" };
    const cause = { keyId: principal.keyId, requestId: "req_2" };
    const lowered = () => lowerKeyLimits(principal, { perOrder: CENT });
    expect(await readNew(user, lowered)).toMatchObject([{ type: "limits.changed", ...cause }]);
    const frozen = () => freezeOwnKey(principal);
    expect(await readNew(user, frozen)).toMatchObject([{ type: "trading.frozen", ...cause }]);
  });
});
