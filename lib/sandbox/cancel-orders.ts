import "server-only";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import {
  selectOrdersOf,
  selectWalletOrders,
  type WalletOrdersFilter,
} from "@/lib/db/queries/sandbox-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { accountsOf } from "@/lib/sandbox/orders";
import { cancelEach } from "@/lib/services/orders/cancel-orders";

const EVERYTHING = { offset: 0, limit: 100_000 };
/** What the venue says of every order it cannot cancel, whatever became of it. */
const NOT_CANCELED = "order can't be found - already canceled or matched";

export interface CancelReply {
  canceled: string[];
  not_canceled: Record<string, string>;
}

/** Cancels orders by id. Ids of others are not found, as the venue has it. */
export async function cancelByIds(
  caller: SandboxCaller,
  ids: readonly string[],
): Promise<CancelReply> {
  const rows = await selectOrdersOf(await getDb(), accountsOf(caller), ids);
  const live = rows.filter(({ status }) => status === "open" || status === "delayed");
  return cancelRows(caller, live, ids);
}

/** Cancels every live order, or those of a market, a token or a key. */
export async function cancelWhere(
  caller: SandboxCaller,
  where: Partial<Pick<WalletOrdersFilter, "keyId" | "marketId" | "tokenId">>,
): Promise<CancelReply> {
  const filter = { userIds: accountsOf(caller), isLive: true, ...where };
  const rows = await selectWalletOrders(await getDb(), filter, EVERYTHING);
  return cancelRows(
    caller,
    rows,
    rows.map(({ id }) => id),
  );
}

async function cancelRows(
  { apiKey }: SandboxCaller,
  rows: readonly OrderRow[],
  wanted: readonly string[],
): Promise<CancelReply> {
  const canceled = new Set<string>();
  for (const userId of new Set(rows.map((row) => row.userId))) {
    const principal = { userId, mode: "paper", keyId: apiKey, scopes: SCOPES } as const;
    const own = rows.filter((row) => row.userId === userId);
    const outcomes = await cancelEach(principal, own);
    for (const id of outcomes.canceled) canceled.add(id);
  }
  const missed = [...new Set(wanted)].filter((id) => !canceled.has(id));
  return {
    canceled: [...canceled],
    not_canceled: Object.fromEntries(missed.map((id) => [id, NOT_CANCELED])),
  };
}
