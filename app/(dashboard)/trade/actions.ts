"use server";

import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { getDisplay } from "@/app/_lib/display-settings";
import { assertPageMode, requireSession } from "@/app/_lib/require-session";
import { movedAverage } from "@/app/(dashboard)/trade/price-check";
import { formatAverage, describeClosed, INVALID_KEY_TEXT } from "@/components/trading/wording";
import type { Principal } from "@/lib/auth/principal";
import { isIdempotencyKey } from "@/lib/browser/idempotency-key";
import { AppError } from "@/lib/errors";
import { Failure, parseInput } from "@/lib/schemas/envelope";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import type { PlaceResult, TicketOrderInput } from "@/lib/schemas/ticket";
import { saveTradingSettings } from "@/lib/accounts/trading-settings";
import { findMarketByToken } from "@/lib/markets/get-market";
import { placeOrder } from "@/lib/orders/place-order";
import { parseMicro, price } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

/**
 * Places the ticket's order and returns its known outcome.
 *
 * @param shown the mode that the ticket shows.
 */
export async function placeOrderAction(shown: Mode, input: TicketOrderInput): Promise<PlaceResult> {
  const { principal } = await requireSession();
  try {
    assertPageMode(principal, shown);
    const { answer, orderId } = await placeInWords(principal, checkedBody(input));
    if (answer.status === 200) return { outcome: "accepted", orderId };
    const { code, message } = Failure.parse(JSON.parse(answer.body)).error;
    return { outcome: "refused", code, message };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Only an order that was rejected before it was recorded is certainly not open.
    const { code, message } = error;
    return error.status < 500 ? { outcome: "refused", code, message } : { outcome: "unknown" };
  }
}

/** Stores whether the ticket's orders are reviewed before they are placed. */
export async function saveReviewAction(isOn: boolean): Promise<void> {
  const { principal } = await requireSession();
  // A client can send anything.
  await saveTradingSettings(principal.userId, { reviewOrders: isOn !== false });
}

/** Places the order of the review page and opens its receipt. */
export async function confirmOrderAction(
  shown: Mode,
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    assertPageMode(principal, shown);
    const body = checkedBody(parseJson(readText(form, "order")));
    const average = parseMicro(readText(form, "average"));
    const found = await findMarketByToken(principal, body.tokenId);
    if (average.ok && found) {
      const order = { marketId: found.market.id, body };
      const now = await movedAverage(principal, order, price(average.micro));
      if (now !== null) {
        const { tick } = found.market;
        const [from, to] = [formatAverage(price(average.micro), tick), formatAverage(now, tick)];
        throw new AppError(
          "ORDER_NOT_FILLED",
          `Price moved: ${from} → ${to}. Your order wasn’t placed.`,
        );
      }
    }
    await placeInWords(principal, body);
    redirect(`/orders/receipt/${encodeURIComponent(body.idempotencyKey)}`);
  });
}

type CheckedBody = PlaceOrderBody & { idempotencyKey: string };

/** Places an order. Shows a market's closing time in the user's time zone. */
async function placeInWords(principal: Principal, body: CheckedBody) {
  try {
    return await placeOrder(principal, body);
  } catch (error) {
    const isClosed = error instanceof AppError && error.code === "MARKET_CLOSED";
    const found = isClosed ? await findMarketByToken(principal, body.tokenId) : null;
    if (!isClosed || !found) throw error;
    const closesAt = new Date(found.market.closesAt).toISOString();
    throw new AppError("MARKET_CLOSED", describeClosed(closesAt, await getDisplay()));
  }
}

/** Validates an order like the API does, and requires an idempotency key. */
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
