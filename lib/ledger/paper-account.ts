import "server-only";
import { eq, type SQL, sql } from "drizzle-orm";
import { compiled } from "@/lib/db/compiled";
import type { Tx } from "@/lib/db/database";
import type { AccountRow } from "@/lib/db/queries/users";
import { users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { positions } from "@/lib/db/schema/trading";
import type { Holding } from "@/lib/domain/position";
import { type CashBalance, cashOf } from "@/lib/ledger/balances";
import { shares, usdc } from "@/lib/units";

/** A paper account with its cash, from one moment. */
export interface PaperAccount {
  account: AccountRow;
  cash: CashBalance;
}

/** What an account holds of one token. */
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
  // The ids that lib/ledger/accounts gives them.
  available: balanceOf(sql`${users.id} || '/' || ${users.epoch} || '/usdc/available'`),
  held: balanceOf(sql`${users.id} || '/' || ${users.epoch} || '/usdc/held'`),
  outside: balanceOf(sql`'external/' || ${users.id} || '/' || ${users.epoch} || '/usdc'`),
};
const hasWallet = eq(wallets.userId, users.id);
const isAsked = eq(users.id, sql.placeholder("userId"));

const accountOf = compiled((tx) =>
  tx
    .select(COLUMNS)
    .from(users)
    .innerJoin(wallets, hasWallet)
    .where(isAsked)
    .prepare("paper_account"),
);

const holdingsOf = compiled((tx) =>
  tx
    .select({ ...COLUMNS, positions: heldPositions() })
    .from(users)
    .innerJoin(wallets, hasWallet)
    .where(isAsked)
    .prepare("paper_holdings"),
);

/** Null when the user has no wallet. */
export async function readPaperAccount(tx: Tx, userId: string): Promise<PaperAccount | null> {
  const [row] = await accountOf(tx).execute({ userId });
  return row ? toAccount(row) : null;
}

/** The same, with the positions that have shares in them, longest untouched first. */
export async function readPaperHoldings(
  tx: Tx,
  userId: string,
): Promise<(PaperAccount & { positions: HeldPosition[] }) | null> {
  const [row] = await holdingsOf(tx).execute({ userId });
  return row ? { ...toAccount(row), positions: row.positions } : null;
}

function balanceOf(id: SQL): SQL<bigint> {
  const { balance } = ledgerAccounts;
  return sql`coalesce((select ${balance} from ${ledgerAccounts} where ${ledgerAccounts.id} = ${id}), 0)`.mapWith(
    balance,
  );
}

/** Every position as one value: a row costs the client more than the database. */
function heldPositions(): SQL<HeldPosition[]> {
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
  return { account, cash: cashOf(available, held, outside) };
}
