import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { jsonOf, textArray } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import type { ACCOUNT_KINDS } from "@/lib/db/schema/ledger";

type AccountKind = (typeof ACCOUNT_KINDS)[number];
/** "usdc" or a token id. */
export type Asset = string;
export const USDC: Asset = "usdc";

/** Names one ledger account. The id is derived, so no lookup is needed to post to it. */
export interface Account {
  id: string;
  kind: AccountKind;
  asset: Asset;
  userId: string | null;
  epoch: number | null;
}

/** The epoch of a user's live account. Paper accounts count from one, up with every reset. */
export const LIVE_EPOCH = 0;

/** Who owns user accounts: a user during one epoch of the paper account, or in live mode. */
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

/** The same id for a statement in which `owner` is a row of the users. */
export const ownedIdOf = (kind: "available" | "held", asset: Asset): SQL =>
  sql`owner.id || '/' || owner.epoch || '/' || ${asset}::text || ${sql.raw(`'/${kind}'`)}`;

const exchangeAccount = (kind: AccountKind, scope: string, asset: Asset): Account => ({
  id: `${kind}/${scope}/${asset}`,
  kind,
  asset,
  userId: null,
  epoch: null,
});

/** What a user may spend or sell. */
export const available = (owner: Owner, asset: Asset) => ownedAccount("available", owner, asset);
/** What a user's live orders reserve. */
export const held = (owner: Owner, asset: Asset) => ownedAccount("held", owner, asset);
/**
 * The outside world that a user's deposits come from: its balance is minus the net deposits. In live
 * mode it is the user's wallet on the chain, of which the ledger knows only what moved through us.
 */
export const external = (owner: Owner, asset: Asset = USDC) =>
  exchangeAccount("external", `${owner.userId}/${owner.epoch}`, asset);
/** The exchange's own trading, per market so that markets do not wait for each other. */
export const house = (marketId: string, asset: Asset) => exchangeAccount("house", marketId, asset);
export const fees = (marketId: string) => exchangeAccount("fees", marketId, USDC);
/** USDC locked behind the outstanding shares of a market: one per pair. */
export const collateral = (marketId: string) => exchangeAccount("collateral", marketId, USDC);
/** Where shares come from and return to: its balance is minus what is outstanding. */
export const issuance = (tokenId: string) => exchangeAccount("issuance", "token", tokenId);

interface LockedAccount {
  id: string;
  balance: string;
}

/**
 * Locks accounts for the rest of the transaction, creating missing ones, always in the order of
 * their ids so that two transactions cannot wait for each other.
 *
 * @returns the balance of each account by id.
 */
export async function lockAccounts(
  tx: Tx,
  accounts: readonly Account[],
): Promise<Map<string, bigint>> {
  const wanted = [...new Map(accounts.map((account) => [account.id, account])).values()];
  if (wanted.length === 0) return new Map();
  const locked = await lockOrCreate(tx, wanted);
  // What another transaction has created meanwhile is there, but not locked by this one.
  return locked.size < wanted.length ? lockOrCreate(tx, wanted) : locked;
}

async function lockOrCreate(tx: Tx, wanted: readonly Account[]): Promise<Map<string, bigint>> {
  const rows = await selectRows<LockedAccount>(
    tx,
    // Byte order, whatever the database's collation, so that every server locks alike.
    sql`with found as (
          select id, balance_micro from ledger_accounts
          where id = any(${textArray(wanted.map(({ id }) => id))}::text::text[])
          order by id collate "C"
          for update
        ), created as (
          insert into ledger_accounts (id, kind, asset, user_id, epoch, balance_micro)
          select wanted.id, wanted.kind, wanted.asset, wanted."userId", wanted.epoch, 0
          from json_to_recordset(${jsonOf(wanted)}::text::json)
            as wanted (id text, kind text, asset text, "userId" text, epoch integer)
          where not exists (select from found where found.id = wanted.id)
          order by wanted.id collate "C"
          on conflict do nothing
          returning id, balance_micro
        )
        select id, balance_micro::text as balance from found
        union all select id, balance_micro::text from created`,
  );
  return new Map(rows.map(({ id, balance }) => [id, BigInt(balance)]));
}
