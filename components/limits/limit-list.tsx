import type { ReactNode } from "react";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { showLimit } from "@/components/format/sums";
import { Money } from "@/components/format/values";
import { LimitMeter } from "@/components/limits/limit-meter";
import { ACTION_LABELS, LIMIT_LABELS } from "@/lib/domain/limit-texts";
import {
  AMOUNT_LIMITS,
  type AmountLimit,
  computeAmountState,
  computeCountState,
  COUNT_LIMITS,
  type CountLimit,
  type LimitedSubject,
  type LimitState,
  type Limits,
} from "@/lib/domain/limits";
import { formatCents, microToNumber, NO_USDC, type Usdc } from "@/lib/units";

/** The words after the figure of a used amount. */
const USED: Readonly<Record<Exclude<AmountLimit, "perOrder">, string>> = {
  perDay: "bought in 24 hours",
  total: "bought so far",
  openExposure: "in shares, at cost",
  perMarket: "in shares of the market with the most",
  dailyLoss: "lost in 24 hours",
};

/** The limits of a key, an account or a user, with what is used of them. */
export function LimitList({ subject }: { subject: Pick<LimitedSubject, "limits" | "usage"> }) {
  const { limits, usage } = subject;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-x-8 gap-y-4 empty:hidden sm:grid-cols-2">
        {AMOUNT_LIMITS.map((name) => {
          const state = computeAmountState(name, limits, usage);
          if (!state) return null;
          if (name === "perOrder") {
            return (
              <Fact key={name} label={LIMIT_LABELS.perOrder}>
                <Money usdc={microToNumber(state.limit)} /> for one buy, with its fee
              </Fact>
            );
          }
          return <AmountMeter key={name} name={name} state={state} />;
        })}
        {COUNT_LIMITS.map((name) => {
          const state = computeCountState(name, limits, usage);
          return state && <CountMeter key={name} name={name} state={state} />;
        })}
        {limits.approvalAbove !== undefined && (
          <Fact label={LIMIT_LABELS.approvalAbove}>
            <Money usdc={microToNumber(limits.approvalAbove)} /> for one buy, which then waits for
            you
          </Fact>
        )}
        {limits.maxDistanceFromMid !== undefined && (
          <Fact label={LIMIT_LABELS.maxDistanceFromMid}>
            At most {formatCents(limits.maxDistanceFromMid)} from the middle of the book
          </Fact>
        )}
      </div>
      <Lists limits={limits} />
    </div>
  );
}

/** Whether a subject has limits at all. */
export const hasLimits = ({ limits }: Pick<LimitedSubject, "limits">) =>
  Object.values(limits).some((limit) => limit !== undefined);

/** A limit of which nothing is used up. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="font-[550]">{label}</p>
      <p className="text-small text-text-2">{children}</p>
    </div>
  );
}

interface AmountProps {
  name: Exclude<AmountLimit, "perOrder">;
  state: LimitState<Usdc>;
}

function AmountMeter({ name, state }: AmountProps) {
  const { limit, used, reserved, remaining, resetsAt } = state;
  const shown = showLimit(state);
  return (
    <LimitMeter
      label={LIMIT_LABELS[name]}
      usedPercent={toPercent(used, limit)}
      reservedPercent={toPercent(reserved, limit)}
      isUsedUp={remaining === 0n}
    >
      <Money usdc={shown.remaining} /> left of <Money usdc={shown.limit} />.{" "}
      <Money usdc={shown.used} /> {USED[name]}
      {reserved > 0n && (
        <>
          , <Money usdc={shown.reserved} /> reserved by orders that are open or wait
        </>
      )}
      .<Reset at={resetsAt} />
    </LimitMeter>
  );
}

function CountMeter({ name, state }: { name: CountLimit; state: LimitState<number> }) {
  const { limit, used, remaining, resetsAt } = state;
  return (
    <LimitMeter
      label={LIMIT_LABELS[name]}
      usedPercent={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
      reservedPercent={0}
      isUsedUp={remaining === 0}
    >
      <span className="num">
        {formatCount(used)} of {formatCount(limit)}
      </span>
      .<Reset at={resetsAt} />
    </LimitMeter>
  );
}

function Reset({ at }: { at: Date | null }) {
  if (at === null) return null;
  return (
    <>
      {" "}
      More from <TimeStamp at={at.toISOString()} isRelative={false} />.
    </>
  );
}

function toPercent(part: Usdc, whole: Usdc): number {
  if (whole === NO_USDC) return 100;
  return Math.min(100, Number((part * 10_000n) / whole) / 100);
}

function Lists({ limits }: { limits: Limits }) {
  const { markets, actions, ipAllow } = limits;
  const rows: [string, ReactNode][] = [
    ...(markets ? [row("markets", <Entries entries={markets} />)] : []),
    ...(actions
      ? [row("actions", actions.map((action) => ACTION_LABELS[action]).join(", ") || "None")]
      : []),
    ...(ipAllow ? [row("ipAllow", <Entries entries={ipAllow} />)] : []),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-text-2">{label}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const row = (name: keyof typeof LIMIT_LABELS, value: ReactNode): [string, ReactNode] => [
  LIMIT_LABELS[name],
  value,
];

function Entries({ entries }: { entries: readonly string[] }) {
  if (entries.length === 0) return "None";
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {entries.map((entry) => (
        <li key={entry} className="font-mono text-caption break-all">
          {entry}
        </li>
      ))}
    </ul>
  );
}
