import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { isOneOf, toJsonRows } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { ACCOUNT_KINDS } from "@/lib/db/schema/ledger";

type AccountKind = (typeof ACCOUNT_KINDS)[number];
/** "usdc" or a token id. */
export type Asset = string;
export const USDC: Asset = "usdc";

/** A ledger account. Its id is derived from the other fields, so posting needs no lookup. */
export interface Account {
  id: string;
  kind: AccountKind;
  asset: Asset;
  userId: string | null;
  epoch: number | null;
}

/** The epoch of a user's live account. The epoch of a paper account starts at 1; a reset adds 1. */
export const LIVE_EPOCH = 0;

/** The owner of accounts: a user in live mode, or in one epoch of the paper account. */
export interface Owner {
  userId: string;
  epoch: number;
}

const ownedAccount = (kind: "available" | "held", owner: Owner, asset: Asset): Account => ({
  id: `${owner.userId}/${owner.epoch}/${asset}/${kind}`,
  kind,
  asset,
  userId: owner.userId,
  epoch: owner.epoch,
});

/** Returns the SQL of an account id, for a statement in which `owner` is a row of `users`. */
export const selectOwnedId = (kind: "available" | "held", asset: SQL): SQL =>
  sql`owner.id || '/' || owner.epoch || '/' || ${asset} || ${sql.raw(`'/${kind}'`)}`;

const exchangeAccount = (kind: AccountKind, scope: string, asset: Asset): Account => ({
  id: `${kind}/${scope}/${asset}`,
  kind,
  asset,
  userId: null,
  epoch: null,
});

/** The balance that a user can spend or sell. */
export const available = (owner: Owner, asset: Asset) => ownedAccount("available", owner, asset);
/** The balance that a user's live orders reserve. */
export const held = (owner: Owner, asset: Asset) => ownedAccount("held", owner, asset);
/**
 * The source of a user's deposits. Its balance is minus the net deposits. In live mode, it stands for
 * the user's wallet on chain, of which the ledger has only the transfers through this service.
 */
export const external = (owner: Owner, asset: Asset = USDC) =>
  exchangeAccount("external", `${owner.userId}/${owner.epoch}`, asset);
/** The house's trades. There is one account per market, so that markets don't wait for each other. */
export const house = (marketId: string, asset: Asset) => exchangeAccount("house", marketId, asset);
export const fees = (marketId: string) => exchangeAccount("fees", marketId, USDC);
/**
 * The builder fees of live fills, which the venue pays to the operator of this service: the owner of the
 * builder code.
 */
export const builder = (code: string) => exchangeAccount("builder", code, USDC);
/**
 * The builder fees of a sandbox wallet's fills in paper money. There is one account per code and market,
 * so that markets don't wait for each other.
 */
export const paperBuilder = (code: string, marketId: string) =>
  exchangeAccount("paper_builder", `${code}/${marketId}`, USDC);
/** The USDC that backs a market's outstanding shares: 1 USDC per pair. */
export const collateral = (marketId: string) => exchangeAccount("collateral", marketId, USDC);
/** The source of minted shares. Its balance is minus the outstanding shares. */
export const issuance = (tokenId: string) => exchangeAccount("issuance", "token", tokenId);

interface LockedAccount {
  id: string;
  balance: string;
}

/**
 * Locks accounts for the rest of the transaction and creates missing ones. Locks in the order of the
 * ids, so that two transactions can't deadlock.
 *
 * @returns the balance of each account by id.
 */
export async function lockAccounts(
  tx: Tx,
  accounts: readonly Account[],
): Promise<Map<string, bigint>> {
  const requested = [...new Map(accounts.map((account) => [account.id, account])).values()];
  if (requested.length === 0) return new Map();
  const locked = await lockOrCreate(tx, requested);
  // An account that another transaction created meanwhile exists, but is not locked yet.
  return locked.size < requested.length ? lockOrCreate(tx, requested) : locked;
}

async function lockOrCreate(tx: Tx, requested: readonly Account[]): Promise<Map<string, bigint>> {
  const rows = await selectRows<LockedAccount>(
    tx,
    // Byte order, independent of the database's collation, so that all servers lock in one order.
    sql`with existing as (
          select id, balance_micro from ledger_accounts
          where ${isOneOf(
            sql`id`,
            requested.map(({ id }) => id),
          )}
          order by id collate "C"
          for update
        ), created as (
          insert into ledger_accounts (id, kind, asset, user_id, epoch, balance_micro, is_behind)
          select requested.id, requested.kind, requested.asset, requested."userId", requested.epoch, 0,
            false
          from json_to_recordset(${toJsonRows(requested)}::text::json)
            as requested (id text, kind text, asset text, "userId" text, epoch integer)
          where not exists (select from existing where existing.id = requested.id)
          order by requested.id collate "C"
          on conflict do nothing
          returning id, balance_micro
        )
        select id, balance_micro::text as balance from existing
        union all select id, balance_micro::text from created`,
  );
  return new Map(rows.map(({ id, balance }) => [id, BigInt(balance)]));
}
