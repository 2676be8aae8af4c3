import Link from "next/link";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import {
  LineSentence,
  showLine,
  SignedAmount,
  type StatementLineWire,
} from "@/components/activity/line-parts";
import { StatementFigures } from "@/components/activity/statement-summary";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatMonth } from "@/components/format/times";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { getStatementSheet } from "@/lib/activity/list-statement";
import type { Principal } from "@/lib/auth/principal";
import { StatementSheet } from "@/lib/schemas/statement";

const NEWEST = 6;

/** The newest changes of a paper account's cash, under the totals of their month. */
export async function RecentActivity({ principal }: { principal: Principal }) {
  const { zone } = await getDisplay();
  const sheet = await getStatementSheet(principal, {}, { limit: NEWEST }, zone);
  const {
    lines,
    months: [month],
  } = z.encode(StatementSheet, sheet);
  if (month === undefined) return null;
  return (
    <Card
      title="Recent activity"
      actions={
        <ButtonLink size="small" href="/activity">
          All activity
        </ButtonLink>
      }
      isFlush
    >
      <div className="flex flex-col gap-2 px-3 pb-3 sm:px-4">
        <h3 className="text-text-2">{formatMonth(month.month)}</h3>
        <StatementFigures total={month} isExact={false} />
      </div>
      <ul className="divide-y divide-border border-t border-border">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ line }: { line: StatementLineWire }) {
  const { market, createdAt } = line;
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2.5 sm:px-4">
      <span className="min-w-0">
        <LineSentence line={line} />
        <span className="block pl-6 text-small text-text-2 md:truncate">
          <TimeStamp at={createdAt} isRelative={false} />
          {market && (
            <>
              {" · "}
              <Link href={`/markets/${market.slug}`} prefetch={false} className="hover:underline">
                {market.title}
              </Link>
            </>
          )}
        </span>
      </span>
      <span className="font-[550]">
        <SignedAmount usdc={showLine(line, false).amount} isExact={false} />
      </span>
    </li>
  );
}
