import "server-only";
import { SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import {
  selectOrdersOfWallet,
  selectWalletOrders,
  type WalletOrdersFilter,
} from "@/lib/db/queries/sandbox-orders";
import type { OrderRow } from "@/lib/db/rows";
import type { SandboxCaller } from "@/lib/sandbox/authenticate";
import { listAccountIds } from "@/lib/sandbox/accounts";
import { cancelEach } from "@/lib/orders/cancel-order";

const ALL_ROWS = { offset: 0, limit: 100_000 };
/** The venue's message for every order that it cannot cancel, whatever the reason. */
const NOT_CANCELED = "order can't be found - already canceled or matched";

/** The address whose orders are canceled, and the API key of the request; null without one. */
interface Canceler {
  owner: string;
  apiKey: string | null;
}

export interface CancelReply {
  canceled: string[];
  not_canceled: Record<string, string>;
}

/** Cancels orders by id. Reports other owners' orders as not found, as the venue does. */
export async function cancelByIds(
  caller: SandboxCaller,
  ids: readonly string[],
): Promise<CancelReply> {
  const userIds = await listAccountIds(caller);
  const rows = await selectOrdersOfWallet(await getDb(), userIds, ids, caller.owner);
  return cancelRows(caller, rows, ids);
}

/** Cancels the caller's live orders, filtered by account, market, token or key. */
export async function cancelWhere(
  caller: Canceler,
  where: Partial<Pick<WalletOrdersFilter, "userIds" | "keyId" | "marketId" | "tokenId">>,
): Promise<CancelReply> {
  const userIds = await listAccountIds(caller);
  const filter = { userIds, keyOwner: caller.owner, isLive: true, ...where };
  const rows = await selectWalletOrders(await getDb(), filter, ALL_ROWS);
  return cancelRows(
    caller,
    rows,
    rows.map(({ id }) => id),
  );
}

/** Cancels the open ones of these orders. The venue doesn't cancel delayed ones (polymarket.md 2.3). */
async function cancelRows(
  { apiKey }: Canceler,
  rows: readonly OrderRow[],
  wanted: readonly string[],
): Promise<CancelReply> {
  const open = rows.filter(({ status }) => status === "open");
  const canceled = new Set<string>();
  for (const userId of new Set(open.map((row) => row.userId))) {
    const principal = { userId, mode: "paper", keyId: apiKey, scopes: SCOPES } as const;
    const ofAccount = open.filter((row) => row.userId === userId);
    const outcomes = await cancelEach(principal, ofAccount);
    for (const id of outcomes.canceled) canceled.add(id);
  }
  const missed = [...new Set(wanted)].filter((id) => !canceled.has(id));
  return {
    canceled: [...canceled],
    not_canceled: Object.fromEntries(missed.map((id) => [id, NOT_CANCELED])),
  };
}
