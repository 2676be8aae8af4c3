import { describe, expect, it, onTestFinished } from "vitest";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { encodePositionCall } from "@/lib/polymarket/protocol/position-calls";
import { withRelayerTurn } from "@/lib/sandbox/relayer-turns";
import { databaseState } from "@/tests/support/api/state";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeRelayedOwner, submitBody, signCalls } from "@/tests/support/sandbox/relayer";

process.env["IN_PROGRESS_WAIT_MS"] = "200";
useFreshDatabase();

const AT_ONCE = 4;
const CALLS = [encodePositionCall({ kind: "approve", spender: CONTRACT.router, amount: 1n })];

/** Occupies the relayer's turns until the returned function is called, at the latest until the test ends. */
async function occupy(turns: number): Promise<() => Promise<void>> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const held = Array.from({ length: turns }, () => withRelayerTurn(() => isReleased));
  const end = async () => {
    release();
    await Promise.all(held);
  };
  onTestFinished(end);
  return end;
}

describe("a submission to the relayer", () => {
  it("that waits too long for its turn returns 503 and changes nothing", async () => {
    const owner = await makeRelayedOwner();
    const body = signCalls(owner, "WALLET", { calls: CALLS, nonce: 0n });
    const before = await databaseState();
    const end = await occupy(AT_ONCE);
    expect(await submitBody(owner, body)).toEqual({
      status: 503,
      body: { error: "service not ready" },
    });
    expect(await databaseState()).toEqual(before);
    await end();
    expect((await submitBody(owner, body)).status).toBe(200);
  });

  it("is handled while one turn is free", async () => {
    const owner = await makeRelayedOwner();
    await occupy(AT_ONCE - 1);
    const body = signCalls(owner, "WALLET", { calls: CALLS, nonce: 0n });
    expect((await submitBody(owner, body)).status).toBe(200);
  });
});
