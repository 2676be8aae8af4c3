import "server-only";
import { z } from "zod";
import { MAX_BUILDER_FEES } from "@/lib/domain/fees";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { ExpiringCache } from "@/lib/expiring-cache";
import { getJson } from "@/lib/polymarket/http";
import type { Builder, RemoteVenue } from "@/lib/venue/port";

/** How long fees are taken as current. */
const FRESH_MS = 60_000;

const Bps = z.union([z.int().min(0), z.string().regex(/^\d{1,9}$/)]).transform(BigInt);
const WireFees = z.object({ builder_maker_fee_rate_bps: Bps, builder_taker_fee_rate_bps: Bps });

const cache = new ExpiringCache<Builder>({ max: 4, freshMs: FRESH_MS, name: "builder-fees" });

/**
 * Returns the operator's builder code with its current fees at the venue (polymarket-wallets.md 7); null
 * without a code.
 *
 * @throws TRADING_PAUSED while the fees are above the venue's limits, and the 502 of a failed read: an
 *   order is placed only with a fee that its user could see.
 */
export const getBuilder: RemoteVenue["getBuilder"] = async () => {
  const code = env().BUILDER_CODE;
  if (code === undefined) return null;
  const builder = await cache.get(`${env().CLOB_API_URL}/${code}`, () => loadBuilder(code));
  const { takerBps, makerBps } = builder;
  if (takerBps <= MAX_BUILDER_FEES.takerBps && makerBps <= MAX_BUILDER_FEES.makerBps)
    return builder;
  throw new AppError(
    "TRADING_PAUSED",
    `The fees of this service's builder code (${takerBps} bps for takers, ${makerBps} bps for makers) are above Polymarket's limits, so Ante does not place orders. Contact the operator.`,
  );
};

async function loadBuilder(code: string): Promise<Builder> {
  const fees = await getJson("clob", `/fees/builder-fees/${code}`, {}, WireFees);
  return {
    code,
    takerBps: fees.builder_taker_fee_rate_bps,
    makerBps: fees.builder_maker_fee_rate_bps,
  };
}
