import "server-only";
import { eq, type SQL, sql } from "drizzle-orm";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { Tx } from "@/lib/db/database";
import type { AccountRow } from "@/lib/db/rows";
import { users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { positions } from "@/lib/db/schema/trading";
import type { Holding } from "@/lib/domain/position";
import { type CashBalance, toCashBalance } from "@/lib/ledger/read-balances";
import { shares, type Usdc, usdc } from "@/lib/units";

/** A paper account with its cash, read in one statement. */
export interface PaperAccount {
  account: AccountRow;
  cash: CashBalance;
}

/** A position with shares. */
export interface HeldPosition extends Holding {
  tokenId: string;
  marketId: string;
}

const COLUMNS = {
  userId: users.id,
  epoch: users.epoch,
  address: wallets.address,
  funderAddress: wallets.funderAddress,
  allowance: wallets.allowance,
  // These ids equal those of lib/ledger/accounts.ts.
  available: selectBalance(sql`${users.id} || '/' || ${users.epoch} || '/usdc/available'`),
  held: selectBalance(sql`${users.id} || '/' || ${users.epoch} || '/usdc/held'`),
  outside: selectBalance(sql`'external/' || ${users.id} || '/' || ${users.epoch} || '/usdc'`),
};
const hasWallet = eq(wallets.userId, users.id);
const isUser = eq(users.id, sql.placeholder("userId"));

const selectAccount = prepareOnce((tx) =>
  tx
    .select(COLUMNS)
    .from(users)
    .innerJoin(wallets, hasWallet)
    .where(isUser)
    .prepare("paper_account"),
);

const selectHoldings = prepareOnce((tx) =>
  tx
    .select({ ...COLUMNS, positions: selectPositions(), realizedPnl: selectRealizedPnl() })
    .from(users)
    .innerJoin(wallets, hasWallet)
    .where(isUser)
    .prepare("paper_holdings"),
);

/** Returns null if the user has no wallet. */
export async function readPaperAccount(tx: Tx, userId: string): Promise<PaperAccount | null> {
  const [row] = await selectAccount(tx).execute({ userId });
  return row ? toAccount(row) : null;
}

/** A paper account with its positions, least recently changed first. */
export interface PaperHoldings extends PaperAccount {
  positions: HeldPosition[];
  /** Sum over all positions, open and closed, before fees. */
  realizedPnl: Usdc;
}

/** Returns null if the user has no wallet. */
export async function readPaperHoldings(tx: Tx, userId: string): Promise<PaperHoldings | null> {
  const [row] = await selectHoldings(tx).execute({ userId });
  if (!row) return null;
  const { positions: held, realizedPnl, ...columns } = row;
  return { ...toAccount(columns), positions: held, realizedPnl };
}

function selectRealizedPnl(): SQL<Usdc> {
  return sql`(
    select coalesce(sum(${positions.realizedPnl}), 0)::bigint
    from ${positions}
    where ${positions.userId} = ${users.id} and ${positions.epoch} = ${users.epoch}
  )`.mapWith((sum: string) => usdc(BigInt(sum)));
}

function selectBalance(id: SQL): SQL<bigint> {
  const { balance } = ledgerAccounts;
  return sql`coalesce((select ${balance} from ${ledgerAccounts} where ${ledgerAccounts.id} = ${id}), 0)`.mapWith(
    balance,
  );
}

/** Selects all positions as one JSON value, because decoding rows is slow in the client. */
function selectPositions(): SQL<HeldPosition[]> {
  const { tokenId, marketId, shares: held, cost, realizedPnl } = positions;
  return sql`(
    select coalesce(json_agg(json_build_array(
      ${tokenId}, ${marketId}, ${held}::text, ${cost}::text, ${realizedPnl}::text
    ) order by ${positions.updatedAt}, ${tokenId}), '[]')
    from ${positions}
    where ${positions.userId} = ${users.id} and ${positions.epoch} = ${users.epoch} and ${held} > 0
  )`.mapWith((rows: [string, string, string, string, string][]) =>
    rows.map(([token, market, size, paid, realized]) => ({
      tokenId: token,
      marketId: market,
      shares: shares(BigInt(size)),
      cost: usdc(BigInt(paid)),
      realizedPnl: usdc(BigInt(realized)),
    })),
  );
}

interface AccountColumns extends AccountRow {
  available: bigint;
  held: bigint;
  outside: bigint;
}

function toAccount({ available, held, outside, ...account }: AccountColumns): PaperAccount {
  return { account, cash: toCashBalance(available, held, outside) };
}
