import type { z } from "zod";
import {
  addExactly,
  showClosedPosition,
  showPosition,
  subtractExactly,
} from "@/components/format/sums";
import { Money, Shares } from "@/components/format/values";
import type { PositionWire } from "@/lib/browser/use-positions";
import type { RedemptionReceipt } from "@/lib/schemas/portfolio";
import type { Mode } from "@/lib/venue/port";

type Redemption = z.input<typeof RedemptionReceipt>;
type Held = Pick<PositionWire, "id" | "outcome" | "shares" | "value" | "pnl"> &
  Pick<Redemption, "traded">;

interface Props {
  /** The positions that were claimed, or closed at nothing. */
  redemptions: readonly Omit<Redemption, "marketTitle" | "at">[];
  /** The positions that are still held, none of which pays; null if they are unknown. */
  held: readonly Held[] | null;
  mode: Mode;
}

/**
 * The payouts of a resolved market, for an account with nothing left to claim: "You held 20 Yes and were
 * paid $20.00. Your buys cost $11.20 with fees, so you made $8.80."
 */
export function SettledHoldings({ redemptions, held, mode }: Props) {
  if (redemptions.length === 0 && (held === null || held.length === 0)) {
    return <p className="text-text-2">{describeNothing(held, mode)}</p>;
  }
  const sides = [
    ...redemptions,
    ...(held ?? []).map(({ traded, value }) => ({ traded: traded && withPayout(traded, value) })),
  ];
  const total = sides.length > 1 ? sumTrades(sides) : null;
  return (
    <div className="text-text-2">
      {redemptions.map((redemption) => (
        <p key={redemption.outcome}>
          You held <Shares shares={redemption.shares} /> {redemption.outcome} and were paid{" "}
          {redemption.payoutUsdc === 0 ? "nothing" : <Money usdc={redemption.payoutUsdc} />}.{" "}
          <RedeemedResult redemption={redemption} />
        </p>
      ))}
      {held?.map((position) => (
        <p key={position.id}>
          You hold <Shares shares={position.shares} /> {position.outcome}, which pay nothing.{" "}
          <HeldResult position={position} />
        </p>
      ))}
      {total !== null && (
        <p>
          In all, you <Result pnl={showClosedPosition(total).pnl} />.
        </p>
      )}
    </div>
  );
}

/**
 * The cost and the profit of a redeemed position, from all its buys, sales and fees. Nothing if they are
 * not known.
 */
export function RedeemedResult({
  redemption: { payoutUsdc, traded },
}: {
  redemption: Pick<Redemption, "payoutUsdc" | "traded">;
}) {
  if (traded === null) return null;
  const { bought, fees, pnl } = showClosedPosition(traded);
  const sales = subtractExactly(traded.receivedUsdc, payoutUsdc);
  return (
    <>
      Your buys cost <Money usdc={addExactly(bought, fees)} /> with fees
      {sales > 0 && (
        <>
          {" "}
          and your sales brought <Money usdc={sales} />
        </>
      )}
      , so you <Result pnl={pnl} />.
    </>
  );
}

/**
 * The cost and the profit of a position that is still held, as after its redemption. If its trades are not
 * known, both are without fees, which belong to trades.
 */
export function HeldResult({ position }: { position: Pick<Held, "value" | "pnl" | "traded"> }) {
  const { value, traded } = position;
  if (traded !== null) {
    return <RedeemedResult redemption={{ payoutUsdc: value, traded: withPayout(traded, value) }} />;
  }
  const { cost, pnl } = showPosition(position);
  return (
    <>
      They cost <Money usdc={cost} /> before fees, so you <Result pnl={pnl} />.
    </>
  );
}

type Traded = Redemption["traded"];

/** The trades of several positions together; null if there is none, or those of one are not known. */
export function sumTrades(positions: readonly { traded: Traded }[]): Traded {
  const [first = null, ...rest] = positions.map(({ traded }) => traded);
  return rest.reduce(
    (sum, traded) =>
      sum &&
      traded && {
        boughtUsdc: addExactly(sum.boughtUsdc, traded.boughtUsdc),
        receivedUsdc: addExactly(sum.receivedUsdc, traded.receivedUsdc),
        fees: addExactly(sum.fees, traded.fees),
      },
    first,
  );
}

const withPayout = (traded: NonNullable<Traded>, usdc: number) => ({
  ...traded,
  receivedUsdc: addExactly(traded.receivedUsdc, usdc),
});

function Result({ pnl }: { pnl: number }) {
  if (pnl === 0) return "broke even";
  return (
    <>
      {pnl > 0 ? "made" : "lost"} <Money usdc={Math.abs(pnl)} />
    </>
  );
}

function describeNothing(held: readonly Held[] | null, mode: Mode): string {
  if (held === null) return "Your shares can’t be shown right now.";
  // A live wallet can also sell or claim outside of Ante, so only the present is known.
  return mode === "live"
    ? "You hold no shares in this market now."
    : "You held no shares when this market was resolved.";
}
