// Rounds figures to cents: to the nearest cent, half a cent away from zero, each figure by itself (ADR 8).
// Where the parts of a sum are shown with it, this file also says where the cent goes that is left.
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

/** Formats an amount after a change that is shown with it, so that the figures add up. */
export function formatAfter(before: number, change: number): string {
  const after = nearestCents(toMicro(before)) + nearestCents(toMicro(change));
  return formatMoney(microToNumber(after < 0n ? 0n : after));
}

/**
 * Rounds what a buy reserves, which is shown beside the available cash: up, but not above the shown cash if
 * the cash covers it.
 */
export function showNeed(need: number, available: number | null): Cents {
  const exact = toMicro(need);
  const shown = -floorCents(-exact);
  if (available === null || toMicro(available) < exact) return microToNumber(shown);
  return microToNumber(smaller(shown, nearestCents(toMicro(available))));
}

/** Whether the shown parts of a sum miss its shown total, although the exact ones add up. */
export function missesTotal(total: number, parts: readonly number[]): boolean {
  const exact = parts.map(toMicro);
  const isSum = sumParts(exact) === toMicro(total);
  return isSum && sumParts(exact.map(nearestCents)) !== nearestCents(toMicro(total));
}

/** Adds two of the API's amounts, exact to the micro-unit. */
export function addExactly(one: number, other: number): number {
  return microToNumber(toMicro(one) + toMicro(other));
}

/** Subtracts one of the API's amounts from another, exact to the micro-unit. */
export function subtractExactly(whole: number, part: number): number {
  return microToNumber(toMicro(whole) - toMicro(part));
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
 * Rounds the figures of a position: value and cost each by itself, so that a long list stays near its total,
 * and the profit is the difference. They depend on the position alone, so they are the same on every page, and the cost is the
 * same at every price.
 */
export function showPosition({ value, pnl }: Valued): PositionFigures {
  const exact = toMicro(value);
  return toFigures(nearestCents(exact - toMicro(pnl)), nearestCents(exact));
}

/**
 * Rounds the totals of positions: the exact sums of value, cost and profit, each by itself. None depends on
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
 * Rounds a statement's line. The rounding is the cent that is left: the shown balance before, the amount and
 * the rounding add up to the shown balance after. The fee is part of the amount.
 */
export function showCashLine({ amountUsdc, feeUsdc, balanceUsdc }: CashLine): {
  fee: Cents;
  amount: Cents;
  rounding: Cents;
} {
  const [after, change] = [toMicro(balanceUsdc), toMicro(amountUsdc)];
  const amount = nearestCents(change);
  return {
    fee: showNearest(feeUsdc),
    amount: microToNumber(amount),
    rounding: microToNumber(nearestCents(after) - nearestCents(after - change) - amount),
  };
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
 * Rounds the totals of a statement. The change is what was received minus what was paid, as shown; the shown
 * opening balance, the change and the rounding add up to the shown closing balance.
 */
export function showCashTotals(totals: CashTotals): {
  received: Cents;
  paid: Cents;
  change: Cents;
  fees: Cents;
  rounding: Cents;
} {
  const { openingUsdc: opening, closingUsdc: closing } = totals;
  const received = nearestCents(toMicro(totals.receivedUsdc));
  const paid = nearestCents(toMicro(totals.paidUsdc));
  const change = received - paid;
  const rounding =
    opening === null || closing === null
      ? 0n
      : nearestCents(toMicro(closing)) - nearestCents(toMicro(opening)) - change;
  return {
    received: microToNumber(received),
    paid: microToNumber(paid),
    change: microToNumber(change),
    fees: showNearest(totals.feesUsdc),
    rounding: microToNumber(rounding),
  };
}

/** The parts of an account in the API's numbers: signed parts of the cash, and the positions. */
interface ProofParts {
  flows: readonly number[];
  cashUsdc: number;
  positionsUsdc: number;
  totalUsdc: number;
}

/** The rounded parts of an account's value. The flows and their rounding add up to the cash. */
interface ShownProof {
  flows: Cents[];
  flowsRounding: Cents;
  cash: Cents;
  positions: Cents;
  /** The cent that cash and positions leave of the total. */
  totalRounding: Cents;
  total: Cents;
}

/** Rounds the parts of an account's value, and the cents that are left between them and their totals. */
export function showProof({ flows, cashUsdc, positionsUsdc, totalUsdc }: ProofParts): ShownProof {
  const parts = flows.map((flow) => nearestCents(toMicro(flow)));
  const [cash = 0n, positions = 0n, total = 0n] = [cashUsdc, positionsUsdc, totalUsdc].map((usdc) =>
    nearestCents(toMicro(usdc)),
  );
  return {
    flows: parts.map(microToNumber),
    flowsRounding: microToNumber(cash - sumParts(parts)),
    cash: microToNumber(cash),
    positions: microToNumber(positions),
    totalRounding: microToNumber(total - cash - positions),
    total: microToNumber(total),
  };
}

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
  const shown = nearestCents(limit);
  const [left = 0n, spent = 0n, held = 0n] =
    sumParts(parts) === limit ? apportion(parts, shown) : parts.map(nearestCents);
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
  const [bought = 0n, received = 0n, paid = 0n] = [boughtUsdc, receivedUsdc, fees].map((usdc) =>
    nearestCents(toMicro(usdc)),
  );
  return {
    bought: microToNumber(bought),
    received: microToNumber(received),
    fees: microToNumber(paid),
    pnl: microToNumber(received - bought - paid),
  };
}

/** Rounds the totals of closed positions: the exact sum of each figure, rounded by itself. */
export function showClosedTotals(
  positions: readonly (ClosedFigures & { pnl: number })[],
): ReturnType<typeof showClosedPosition> {
  const sumUp = (read: (position: ClosedFigures & { pnl: number }) => number) =>
    microToNumber(nearestCents(sumParts(positions.map((position) => toMicro(read(position))))));
  return {
    bought: sumUp(({ boughtUsdc }) => boughtUsdc),
    received: sumUp(({ receivedUsdc }) => receivedUsdc),
    fees: sumUp(({ fees }) => fees),
    pnl: sumUp(({ pnl }) => pnl),
  };
}

/** Returns whether the figures of a shown total differ from the sums of its shown rows. */
export function differsFromRows<Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, Cents>>[],
  total: Readonly<Record<Name, Cents>>,
): boolean {
  return names.some(
    (name) => sumParts(rows.map((row) => toMicro(row[name]))) !== toMicro(total[name]),
  );
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

const showNearest = (usdc: number): Cents => microToNumber(nearestCents(toMicro(usdc)));

function floorCents(micro: bigint): bigint {
  const over = micro % CENT;
  return micro - over - (over < 0n ? CENT : 0n);
}

/** The cents that `formatMoney` shows, in micro-units: half up, and a negative amount like its positive. */
function nearestCents(micro: bigint): bigint {
  return micro < 0n ? -nearestCents(-micro) : floorCents(micro + CENT / 2n);
}

function toMicro(usdc: number): bigint {
  const parsed = parseMicro(String(usdc));
  if (!parsed.ok) throw new Error(`${usdc} is not an amount with six decimals`);
  return parsed.micro;
}
