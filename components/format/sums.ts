// Rounds figures to cents. Profit, and the value and cost of positions, are rounded half up, each by itself.
// Parts of a proof get whole cents by the largest remainder, so that they add up to the shown sum. Fees are
// rounded up everywhere, so that the same fees are the same cents on every page.
import { formatMoney } from "@/components/format/numbers";
import {
  computePercent,
  microToNumber,
  parseMicro,
  smaller,
  type Usdc,
  usdc as toUsdc,
} from "@/lib/units";

const CENT = 10_000n;

/**
 * Formats the rest of a sum that is shown with its total and its other part, such as the cost of a
 * position with its value and profit, so that the three add up to the cent. The total and the part
 * are rounded down; the rest is then the exact one rounded down or up, at most a cent away
 * from it.
 */
export function formatRest(whole: number, part: number): string {
  return formatMoney(microToNumber(shownCents(whole) - shownCents(part)));
}

/**
 * Formats an amount after a change that is shown with it, so that the figures add up. A negative
 * change (a payment) is shown rounded up, a positive one rounded down.
 */
export function formatAfter(before: number, change: number): string {
  const after = shownCents(before) + shownCents(change);
  return formatMoney(microToNumber(after < 0n ? 0n : after));
}

/**
 * Rounds the cost of a buy that is shown beside the available cash: up, like every payment, but not above
 * the shown cash if the cash covers it.
 */
export function showCost(cost: number, available: number | null): Cents {
  const exact = toMicro(cost);
  const shown = ceilCents(exact);
  if (available === null || toMicro(available) < exact) return microToNumber(shown);
  return microToNumber(smaller(shown, shownCents(available)));
}

/** Adds two of the API's amounts, exact to the micro-unit. */
export function addExactly(one: number, other: number): number {
  return microToNumber(toMicro(one) + toMicro(other));
}

/** An amount in dollars, rounded to whole cents. */
type Cents = number;

/** A position or the exact sum of several, in the API's numbers. */
interface Valued {
  value: number;
  pnl: number;
}

/** The figures of a position or of several. */
export interface PositionFigures {
  cost: Cents;
  value: Cents;
  pnl: Cents;
}

/**
 * Rounds the figures of a position: value and cost half up, so that a long list stays near its total, and
 * the profit is the difference. They depend on the position alone, so they are the same on every page, and the cost is the
 * same at every price.
 */
export function showPosition({ value, pnl }: Valued): PositionFigures {
  const exact = toMicro(value);
  return toFigures(nearestCents(exact - toMicro(pnl)), nearestCents(exact));
}

/**
 * Rounds the totals of positions: the exact sums of value, cost and profit, each half up. None depends on
 * the other two, so the profit of all positions has the same cents as the account's unrealized profit.
 */
export function showTotals(positions: readonly Valued[]): PositionFigures {
  const value = sumParts(positions.map((position) => toMicro(position.value)));
  const pnl = sumParts(positions.map((position) => toMicro(position.pnl)));
  return {
    cost: microToNumber(nearestCents(value - pnl)),
    value: microToNumber(nearestCents(value)),
    pnl: microToNumber(nearestCents(pnl)),
  };
}

/** Returns `part` in percent of `whole`, 8.3 for 8.3 %; null if the whole is nothing. */
export function toPercentOf(part: number, whole: number | null): number | null {
  const base = whole === null ? 0n : toMicro(whole);
  return base <= 0n ? null : microToNumber(computePercent(toUsdc(toMicro(part)), toUsdc(base)));
}

/** A statement's line in the API's numbers. The amount includes the fee. */
interface CashLine {
  amountUsdc: number;
  feeUsdc: number;
  balanceUsdc: number;
}

/**
 * Rounds a statement's line. The amount is rounded as on every other page: income down, payments up. The
 * balance is rounded down, like cash. The rounding is the cent that is left between them: the
 * shown balance before, the amount and the rounding add up to the shown balance after. The amount before
 * fees is the sum of the shown amount and the shown fee.
 */
export function showCashLine({ amountUsdc, feeUsdc, balanceUsdc }: CashLine): {
  beforeFees: Cents;
  fee: Cents;
  amount: Cents;
  rounding: Cents;
} {
  const [after, change] = [toMicro(balanceUsdc), toMicro(amountUsdc)];
  const [amount, fee] = [floorCents(change), showFees(feeUsdc)];
  return {
    beforeFees: microToNumber(amount + fee),
    fee: microToNumber(fee),
    amount: microToNumber(amount),
    rounding: microToNumber(floorCents(after) - floorCents(after - change) - amount),
  };
}

/** A trade or an order with its fills, in the API's numbers. */
interface Trade {
  action: "BUY" | "SELL";
  /** Without the fee. */
  value: number;
  fee: number;
}

/**
 * Rounds the value of a trade before fees as its line of the statement does: what was paid or received, and
 * the shown fee, add up to it.
 */
export function showTradeValue({ action, value, fee }: Trade): Cents {
  const isBuy = action === "BUY";
  const change = isBuy ? -toMicro(value) - toMicro(fee) : toMicro(value) - toMicro(fee);
  const beforeFees = floorCents(change) + showFees(fee);
  return microToNumber(isBuy ? -beforeFees : beforeFees);
}

/** The exact totals of a statement, in the API's numbers. Neither part is negative. */
interface CashTotals {
  receivedUsdc: number;
  paidUsdc: number;
  feesUsdc: number;
  /** Null if a filter leaves lines out in between. */
  openingUsdc: number | null;
  closingUsdc: number | null;
}

/**
 * Rounds the totals of a statement from their exact sums: the shown opening balance plus received minus
 * paid is the shown closing balance.
 */
export function showCashTotals(totals: CashTotals): {
  received: Cents;
  paid: Cents;
  change: Cents;
  fees: Cents;
  beforeFees: Cents;
} {
  const { openingUsdc: opening, closingUsdc: closing } = totals;
  const parts = [toMicro(totals.receivedUsdc), -toMicro(totals.paidUsdc)];
  const change =
    opening === null || closing === null
      ? floorCents(sumParts(parts))
      : shownCents(closing) - shownCents(opening);
  const [received = 0n, paid = 0n] = apportion(parts, change);
  const fees = showFees(totals.feesUsdc);
  return {
    received: microToNumber(received),
    paid: microToNumber(-paid),
    change: microToNumber(change),
    fees: microToNumber(fees),
    beforeFees: microToNumber(change + fees),
  };
}

/** The parts of an account in the API's numbers: signed parts of the cash, and the positions. */
interface ProofParts {
  flows: readonly number[];
  /** The place of the fees in the flows. */
  feesAt: number;
  cashUsdc: number;
  totalUsdc: number;
}

/**
 * Rounds the parts of an account's value by the largest remainder: the flows add up to the shown cash, and
 * cash and positions to the shown total.
 */
export function showProof({ flows, feesAt, cashUsdc, totalUsdc }: ProofParts): {
  flows: Cents[];
  cash: Cents;
  positions: Cents;
  total: Cents;
} {
  const total = shownCents(totalUsdc);
  const exact = toMicro(cashUsdc);
  const [nearest = 0n] = apportion([exact, toMicro(totalUsdc) - exact], total);
  const paid = showFees(-(flows[feesAt] ?? 0));
  const parts = flows.toSpliced(feesAt, 1).map(toMicro);
  // The fees are always rounded up. With cash that is rounded up, too, the other flows could be too small.
  const isPossible = isWithinACent(parts, apportion(parts, nearest + paid));
  const cash = isPossible ? nearest : floorCents(exact);
  const others = apportion(parts, cash + paid);
  return {
    flows: others.toSpliced(feesAt, 0, -paid).map(microToNumber),
    cash: microToNumber(cash),
    positions: microToNumber(total - cash),
    total: microToNumber(total),
  };
}

const isWithinACent = (exact: readonly bigint[], shown: readonly bigint[]) =>
  exact.every((part, at) => {
    const off = (shown[at] ?? 0n) - part;
    return off > -CENT && off < CENT;
  });

/** A limit with what is left of it, in exact amounts. */
interface LimitParts {
  limit: Usdc;
  used: Usdc;
  reserved: Usdc;
  remaining: Usdc;
}

/**
 * Rounds the parts of a limit by the largest remainder: they add up to the shown limit. If more was used
 * than the limit, which was lowered since, nothing remains and the parts are rounded by themselves.
 */
export function showLimit({
  limit,
  used,
  reserved,
  remaining,
}: LimitParts): Record<keyof LimitParts, Cents> {
  const parts = [remaining, used, reserved];
  const shown = floorCents(limit);
  const [left = 0n, spent = 0n, held = 0n] =
    sumParts(parts) === limit ? apportion(parts, shown) : parts.map(floorCents);
  return {
    limit: microToNumber(shown),
    used: microToNumber(spent),
    reserved: microToNumber(held),
    remaining: microToNumber(left),
  };
}

/** A closed position, in the API's numbers. */
interface ClosedFigures {
  boughtUsdc: number;
  receivedUsdc: number;
  fees: number;
}

/** Rounds the figures of a closed position: its profit is what it received minus what it cost. */
export function showClosedPosition({ boughtUsdc, receivedUsdc, fees }: ClosedFigures): {
  bought: Cents;
  received: Cents;
  fees: Cents;
  pnl: Cents;
} {
  const [bought, received] = [ceilCents(toMicro(boughtUsdc)), shownCents(receivedUsdc)];
  const paid = showFees(fees);
  return {
    bought: microToNumber(bought),
    received: microToNumber(received),
    fees: microToNumber(paid),
    pnl: microToNumber(received - bought - paid),
  };
}

/**
 * Apportions a total of whole cents: each part is rounded down, and the missing cents go to the
 * largest remainders. Zero parts stay zero.
 */
export function apportion(parts: readonly bigint[], total: bigint): bigint[] {
  const cells = parts.map(floorCents);
  const order = parts
    .map((part, index) => ({ index, remainder: part - floorCents(part), isNothing: part === 0n }))
    .toSorted((a, b) => {
      if (a.isNothing !== b.isNothing) return a.isNothing ? 1 : -1;
      return a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1;
    });
  const receivers = order.filter(({ isNothing }) => !isNothing);
  const turn = receivers.length > 0 ? receivers : order;
  let missing = (total - sumParts(cells)) / CENT;
  const step = missing < 0n ? -1n : 1n;
  for (let place = 0; missing !== 0n && turn.length > 0; place += 1) {
    // Surplus cents are taken from the smallest remainders first.
    const at = place % turn.length;
    const cell = turn[step > 0n ? at : turn.length - 1 - at]?.index ?? 0;
    cells[cell] = (cells[cell] ?? 0n) + step * CENT;
    missing -= step;
  }
  return cells;
}

function toFigures(cost: bigint, value: bigint): PositionFigures {
  return {
    cost: microToNumber(cost),
    value: microToNumber(value),
    pnl: microToNumber(value - cost),
  };
}

const sumParts = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);

/** The value that is shown for fees, in micro-units: rounded up, like every payment. */
const showFees = (usdc: number): bigint => ceilCents(toMicro(usdc));

/** The value that `formatMoney` shows for an amount that is rounded down, in micro-units. */
const shownCents = (usdc: number): bigint => floorCents(toMicro(usdc));

function floorCents(micro: bigint): bigint {
  const over = micro % CENT;
  return micro - over - (over < 0n ? CENT : 0n);
}

const ceilCents = (micro: bigint): bigint => -floorCents(-micro);

/** Rounds half up, and a negative amount like its positive. */
function nearestCents(micro: bigint): bigint {
  return micro < 0n ? -nearestCents(-micro) : floorCents(micro + CENT / 2n);
}

function toMicro(usdc: number): bigint {
  const parsed = parseMicro(String(usdc));
  if (!parsed.ok) throw new Error(`${usdc} is not an amount with six decimals`);
  return parsed.micro;
}
