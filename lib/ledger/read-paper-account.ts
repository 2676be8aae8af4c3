import "server-only";
import { eq, type SQL, sql } from "drizzle-orm";
import { toTextArray } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { prepareOnce } from "@/lib/db/prepare-once";
import type { AccountRow } from "@/lib/db/rows";
import { users, wallets } from "@/lib/db/schema/accounts";
import { ledgerAccounts } from "@/lib/db/schema/ledger";
import { positions } from "@/lib/db/schema/trading";
import { shareStatement } from "@/lib/db/share-statement";
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
// A subselect hides the list's length from the planner. If it knew it, it would plan every run anew.
const WANTED = sql`unnest((select ${sql.placeholder("userIds")}::text::text[]))
  with ordinality as wanted (user_id, position)`;
const POSITION = sql<number>`wanted.position`;

/** `offset 0` makes Postgres look up each user by its index. */
const selectUser = (tx: Tx) =>
  tx
    .select({ id: users.id, epoch: users.epoch })
    .from(users)
    .where(sql`${users.id} = wanted.user_id offset 0`)
    .as("users");

const selectAccounts = prepareOnce((tx) =>
  tx
    .select({ position: POSITION, ...COLUMNS })
    .from(WANTED)
    .innerJoinLateral(selectUser(tx), sql`true`)
    .innerJoin(wallets, hasWallet)
    .prepare("paper_accounts"),
);

const selectHoldings = prepareOnce((tx) =>
  tx
    .select({
      position: POSITION,
      ...COLUMNS,
      positions: selectPositions(),
      realizedPnl: selectRealizedPnl(),
    })
    .from(WANTED)
    .innerJoinLateral(selectUser(tx), sql`true`)
    .innerJoin(wallets, hasWallet)
    .prepare("paper_holdings"),
);

const findAccount = shareStatement((db, userIds: readonly string[]) =>
  selectAccounts(db).execute({ userIds: toTextArray(userIds) }),
);
const findHoldings = shareStatement((db, userIds: readonly string[]) =>
  selectHoldings(db).execute({ userIds: toTextArray(userIds) }),
);

/** Returns null if the user has no wallet. */
export async function findPaperAccount(userId: string): Promise<PaperAccount | null> {
  const found = await findAccount(userId);
  return found && toAccount(found);
}

/** A paper account with its positions, least recently changed first. */
export interface PaperHoldings extends PaperAccount {
  positions: HeldPosition[];
  /** Sum over all positions, open and closed, before fees. */
  realizedPnl: Usdc;
}

/** Returns null if the user has no wallet. */
export async function findPaperHoldings(userId: string): Promise<PaperHoldings | null> {
  const found = await findHoldings(userId);
  return found && toHoldings(found);
}

/** Reads the same in a transaction, for its snapshot. */
export async function readPaperHoldings(tx: Tx, userId: string): Promise<PaperHoldings | null> {
  const [row] = await selectHoldings(tx).execute({ userIds: toTextArray([userId]) });
  return row ? toHoldings(row) : null;
}

function toHoldings(
  columns: AccountColumns & Pick<PaperHoldings, "positions" | "realizedPnl">,
): PaperHoldings {
  const { positions: held, realizedPnl } = columns;
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

function toAccount(columns: AccountColumns): PaperAccount {
  const { available, held, outside } = columns;
  const { userId, epoch, address, funderAddress, allowance } = columns;
  return {
    account: { userId, epoch, address, funderAddress, allowance },
    cash: toCashBalance(available, held, outside),
  };
}
