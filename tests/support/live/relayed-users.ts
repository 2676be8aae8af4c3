// Live users whose wallet's key signs elsewhere as well, with the sandbox's relayer and its node.
import { expect } from "vitest";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";
import { chooseExchange } from "@/lib/domain/protocol";
import { CONTRACT, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { PositionCall } from "@/lib/polymarket/protocol/position-calls";
import { getPositionContract } from "@/lib/polymarket/protocol/position-contracts";
import { ensureAccount } from "@/lib/sandbox/accounts";
import { shares } from "@/lib/units";
import type { Market } from "@/lib/venue/port";
import { advance } from "@/lib/wallet-transactions/advance";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";
import { readTransactions } from "@/tests/support/live/claims";
import type { Fault, FaultServer } from "@/tests/support/live/fault-server";
import { type LiveUser, toFailure } from "@/tests/support/live/venue";
import {
  deriveRelayedWallet,
  makeRelayedOwner,
  type RelayedOwner,
  submitCalls,
  type WalletType,
} from "@/tests/support/sandbox/relayer";
import { makeUser } from "@/tests/support/users";

const SIGNATURE_TYPES = { WALLET: "3", SAFE: "2", PROXY: "1" } as const;

export interface RelayedUser extends LiveUser {
  type: WalletType;
  relayed: RelayedOwner;
}

/** Creates a user whose wallet's key other programs have as well. */
export async function makeRelayedUser(type: WalletType = "WALLET"): Promise<RelayedUser> {
  const [user, relayed] = [await makeUser(), await makeRelayedOwner()];
  const funder = deriveRelayedWallet(relayed, type);
  const { privateKey, address: owner } = relayed.key;
  const input = { privateKey, funder, signatureType: SIGNATURE_TYPES[type] };
  await importLiveWallet(user.userId, input);
  await ensureAccount(funder);
  const live = { ...user.principal, mode: "live" } as const;
  return { ...user, owner, funder, live, type, relayed };
}

/** Lets another program with the wallet's key send a call. */
export async function callElsewhere(user: RelayedUser, call: PositionCall): Promise<void> {
  expect(await submitCalls(user.relayed, user.type, [call])).toMatchObject({ status: 200 });
}

/** Lets another program with the wallet's key split. */
export const splitElsewhere = (user: RelayedUser, market: Market, amount: bigint) =>
  callElsewhere(user, {
    kind: "split",
    contract: getPositionContract(market),
    conditionId: market.id,
    amount,
  });

/** Lets the wallet approve or revoke that a market's exchange moves its shares. */
export const approveSales = (user: RelayedUser, market: Market, isApproved: boolean) =>
  callElsewhere(user, {
    kind: "setOperator",
    token: market.protocol === "v2" ? CONTRACT.positionManager : CONTRACT.conditionalTokens,
    operator: getExchangeDomain(137, chooseExchange(market)).verifyingContract,
    isApproved,
  });

const LIST_NOTHING: Fault = async (_, { send }) => send(Response.json([]));
export const LOSE_RESPONSE: Fault = async (handle, { drop }) => {
  await handle();
  drop();
};
export const LOSE_REQUEST: Fault = async (_, { drop }) => drop();

/** Makes the relayer list nothing, and lose what is submitted through Ante. */
export function loseSubmissions(sandbox: FaultServer, lose: Fault): void {
  sandbox.fault = ({ path }) => {
    if (path === "/relayer/submit") return lose;
    return path === "/relayer/transactions" ? LIST_NOTHING : null;
  };
}

/** Returns the status of a split or merge, or the code of its refusal. */
export const changePositions = (
  user: RelayedUser,
  kind: "split" | "merge",
  { market, size }: { market: Market; size: bigint },
): Promise<string> =>
  splitOrMerge(user.live, kind, { marketId: market.id, shares: shares(size) }).then(
    ({ status }) => status,
    (error: unknown) => toFailure(error).code,
  );

/** Reads the only transaction of a user. */
export async function readOnly(user: RelayedUser) {
  const [row, ...others] = await readTransactions(user);
  expect(others).toEqual([]);
  return row ?? expect.fail("the transaction is recorded");
}

/** Advances the only transaction of a user once. */
export async function advanceOnly(user: RelayedUser) {
  const { id } = await readOnly(user);
  await advance(id);
  return readOnly(user);
}
