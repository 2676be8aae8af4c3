import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getPortfolio } from "@/lib/portfolio/get-portfolio";
import { Portfolio, Position } from "@/lib/schemas/account";
import { getEncoder } from "@/lib/schemas/encoder";
import { encodeItem, EncodedList } from "@/lib/schemas/envelope";

const Totals = Portfolio.omit({ positions: true });

/** The JSON of positions in UTF-8. lib/portfolio/paper-positions.ts returns the same object while nothing changes. */
const encoded = new WeakMap<z.output<typeof Position>, Uint8Array>();

/** Returns the same as `getPortfolio` in JSON. Positions that have not changed are not encoded again. */
export async function encodePortfolio(principal: Principal): Promise<EncodedList> {
  const { positions, ...totals } = await getPortfolio(principal);
  const before = JSON.stringify(getEncoder(Totals)(totals));
  return new EncodedList(
    `${before.slice(0, -1)},"positions":[`,
    positions.map(encodePosition),
    "]}",
  );
}

function encodePosition(position: z.output<typeof Position>): Uint8Array {
  const known = encoded.get(position);
  if (known) return known;
  const json = encodeItem(Position, position);
  encoded.set(position, json);
  return json;
}
