import { readTyped } from "@/lib/domain/ticket/typed-number";
import type { Action } from "@/lib/domain/settlement";
import { ceilToGrid, floorToGrid, isOnGrid } from "@/lib/domain/tick-grid";
import { formatMicro, ONE, type Price, price } from "@/lib/units";

/** The text of a price field, which is in cents, parsed. */
export type PriceReading =
  | { kind: "empty" }
  | { kind: "invalid" }
  /** "0.62": a fraction of a dollar instead of cents. The ticket offers a fix, but doesn't guess. */
  | { kind: "fraction"; meant: Price }
  | { kind: "outside" }
  | { kind: "off_grid"; below: Price; above: Price }
  | { kind: "price"; price: Price };

/** Cents per dollar. */
const CENTS = 100n;

export function readPrice(text: string, tick: Price): PriceReading {
  const typed = readTyped(text, false);
  if (typed.kind === "too_large") return { kind: "outside" };
  if (typed.kind !== "number") return typed;
  const { micro, decimals } = typed;
  const at = micro / CENTS;
  const isExact = micro % CENTS === 0n && decimals <= 6;
  if (isExact && isOnGrid(price(at), tick)) return { kind: "price", price: price(at) };
  if (decimals > 0 && isOnGrid(price(micro), tick))
    return { kind: "fraction", meant: price(micro) };
  if (at < tick || at > ONE - tick) return { kind: "outside" };
  return {
    kind: "off_grid",
    below: floorToGrid(at, tick),
    above: ceilToGrid(isExact ? at : at + 1n, tick),
  };
}

/** Rounds a price between two ticks in the user's favor; null for other readings. */
export function snapPrice(reading: PriceReading, action: Action): Price | null {
  if (reading.kind !== "off_grid") return null;
  return action === "BUY" ? reading.below : reading.above;
}

interface Steps {
  /** Ticks to go, down when negative. */
  ticks: number;
  tick: Price;
  /** The price to start from if the field has none. */
  start: Price;
}

/** Returns the price some ticks away from the field's price, on the grid. */
export function stepPrice(reading: PriceReading, { ticks, tick, start }: Steps): Price {
  const away = BigInt(ticks) * tick;
  switch (reading.kind) {
    case "price":
      return floorToGrid(reading.price + away, tick);
    case "off_grid":
      return ticks > 0
        ? floorToGrid(reading.below + away, tick)
        : ceilToGrid(reading.above + away, tick);
    case "fraction":
      return reading.meant;
    default:
      return floorToGrid(start, tick);
  }
}

/** Formats a price as cents without a sign, as in the price field. */
export function formatCents(at: Price): string {
  return formatMicro(at * CENTS);
}
