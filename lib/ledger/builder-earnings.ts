import "server-only";
import { sql } from "drizzle-orm";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { type Usdc, usdc } from "@/lib/units";

/** What a builder code earned by one fill, or lost again because the fill was reversed. */
interface BuilderLine {
  at: Date;
  code: string;
  amount: Usdc;
  userId: string;
  orderId: string;
  tradeId: string;
}

/** Lines of the operator's accounts, newest first, and what each code earned in all. */
export interface BuilderEarnings {
  totals: { code: string; amount: Usdc }[];
  lines: BuilderLine[];
}

const PREFIX = "builder/";

/** Reads the builder fees of live fills from the ledger. */
export async function readBuilderEarnings(tx: Tx, limit: number): Promise<BuilderEarnings> {
  const totals = await selectRows<{ id: string; balance: string }>(
    tx,
    sql`select id, balance_micro::text as balance from ledger_accounts
      where kind = 'builder' order by id`,
  );
  const lines = await selectRows<{
    at: string;
    account: string;
    amount: string;
    user_id: string;
    order_id: string;
    trade_id: string;
  }>(
    tx,
    sql`select moved.created_at::text as at, account.id as account, orders.user_id, moved.order_id,
        moved.group_id as trade_id,
        (case when moved.credit_account = account.id then 1 else -1 end * moved.amount_micro)::text
          as amount
      from ledger_accounts account
      join ledger_transfers moved on account.id in (moved.credit_account, moved.debit_account)
      join orders on orders.id = moved.order_id
      where account.kind = 'builder'
      order by moved.sequence desc limit ${limit}::integer`,
  );
  return {
    totals: totals.map(({ id, balance }) => ({ code: toCode(id), amount: usdc(BigInt(balance)) })),
    lines: lines.map(({ at, account, amount, user_id, order_id, trade_id }) => ({
      at: new Date(at),
      code: toCode(account),
      amount: usdc(BigInt(amount)),
      userId: user_id,
      orderId: order_id,
      tradeId: trade_id,
    })),
  };
}

/** Returns the code of an account's id: `builder/<code>/usdc`. */
const toCode = (id: string) => id.slice(PREFIX.length, id.lastIndexOf("/"));
