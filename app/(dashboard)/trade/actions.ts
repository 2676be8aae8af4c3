"use server";

import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { getDisplay } from "@/app/_lib/display-settings";
import { assertShown, requireSession } from "@/app/_lib/require-session";
import { movedAverage } from "@/app/(dashboard)/trade/price-check";
import { averageText, closedText, INVALID_KEY_TEXT } from "@/components/trading/ticket/wording";
import type { Principal } from "@/lib/auth/principal";
import { isIdempotencyKey } from "@/lib/client/idempotency-key";
import { AppError } from "@/lib/errors";
import { Failure, parseInput } from "@/lib/schemas/envelope";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import type { PlaceResult, TicketOrderInput } from "@/lib/schemas/ticket";
import { findMarketByToken } from "@/lib/services/markets/find-by-token";
import { placeOrder } from "@/lib/services/orders/place-order";
import { parseMicro, price } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/**
 * Places the ticket's order, and says what of its fate is known at once.
 *
 * @param shown the account that the ticket says it is for.
 */
export async function placeOrderAction(shown: Mode, input: TicketOrderInput): Promise<PlaceResult> {
  const { principal } = await requireSession();
  try {
    assertShown(principal, shown);
    const { answer, orderId } = await placeInWords(principal, checkedBody(input));
    if (answer.status === 200) return { outcome: "accepted", orderId };
    return { outcome: "refused", message: Failure.parse(JSON.parse(answer.body)).error.message };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Only what was refused before anything was done proves that nothing is live.
    const isRefused = error.status < 500;
    return isRefused ? { outcome: "refused", message: error.message } : { outcome: "unknown" };
  }
}

/** Places what the review page showed and goes to the receipt, where the order's fate is told. */
export async function confirmOrderAction(
  shown: Mode,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    assertShown(principal, shown);
    const body = checkedBody(parseJson(textOf(form, "order")));
    const average = parseMicro(textOf(form, "average"));
    const found = await findMarketByToken(principal, body.tokenId);
    if (average.ok && found) {
      const order = { marketId: found.market.id, body };
      const now = await movedAverage(principal, order, price(average.micro));
      if (now !== null) {
        const { tick } = found.market;
        const [from, to] = [averageText(price(average.micro), tick), averageText(now, tick)];
        throw new AppError("ORDER_NOT_FILLED", `Price moved: ${from} → ${to}. Nothing was placed.`);
      }
    }
    await placeInWords(principal, body);
    redirect(`/orders/receipt/${encodeURIComponent(body.idempotencyKey)}`);
  });
}

type CheckedBody = PlaceOrderBody & { idempotencyKey: string };

/** Places an order; that its market has closed is said by the reader's clock. */
async function placeInWords(principal: Principal, body: CheckedBody) {
  try {
    return await placeOrder(principal, body);
  } catch (error) {
    const isClosed = error instanceof AppError && error.code === "MARKET_CLOSED";
    const found = isClosed ? await findMarketByToken(principal, body.tokenId) : null;
    if (!isClosed || !found) throw error;
    const closesAt = new Date(found.market.closesAt).toISOString();
    throw new AppError("MARKET_CLOSED", closedText(closesAt, await getDisplay()));
  }
}

/** The order, checked as the interface checks one, and with a key: a form is never without. */
function checkedBody(input: unknown): CheckedBody {
  const body = parseInput(PlaceOrderBody, input);
  const { idempotencyKey } = body;
  if (idempotencyKey === undefined || !isIdempotencyKey(idempotencyKey)) {
    throw new AppError("VALIDATION_ERROR", INVALID_KEY_TEXT);
  }
  return { ...body, idempotencyKey };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("VALIDATION_ERROR", INVALID_KEY_TEXT);
  }
}
