"use server";

import { redirect } from "next/navigation";
import { readText, runAction } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { describeQuestion } from "@/app/(dashboard)/orders/[orderId]/edit/question";
import type { EditQuestion, EditState } from "@/components/orders/edit-order-form";
import type { Principal } from "@/lib/auth/principal";
import { describeIssue } from "@/components/trading/wording";
import { createPriceIssue } from "@/lib/domain/ticket/assess";
import { readPrice } from "@/lib/domain/ticket/price-field";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { AppError, type ErrorCode } from "@/lib/errors";
import { getOrderLine } from "@/lib/orders/get-order";
import { replaceOrder, type ReplaceRequest } from "@/lib/orders/replace-order";
import {
  type ConfirmedTerms,
  type ReplacementReview,
  reviewReplacement,
} from "@/lib/orders/review-replacement";
import {
  formatMicro,
  parseMicro,
  type Price,
  price as toPrice,
  type Shares,
  shares,
} from "@/lib/units";

/** Changes an order from its row, and returns what became of it. */
export async function replaceInRow(_: unknown, form: FormData): Promise<EditState> {
  const { principal } = await requireSession();
  return replaceAndReport(principal, form);
}

/**
 * Changes an order from its form page, which then shows what became of it. A rejection that no order
 * records is returned, because the page couldn't read it.
 */
export async function replaceFromPage(_: unknown, form: FormData): Promise<EditState> {
  const { principal } = await requireSession();
  const state = await replaceAndReport(principal, form);
  if (state.status !== "replaced") return state;
  const { result } = state;
  if (result.outcome === "rejected" && result.newOrderId === null) return state;
  redirect(`/orders/${encodeURIComponent(readText(form, "orderId"))}/edit`);
}

async function replaceAndReport(principal: Principal, form: FormData): Promise<EditState> {
  const states: EditState[] = [];
  const state = await runAction(form, async () => {
    states.push(await replaceFromForm(principal, form));
    return "";
  });
  return states[0] ?? state;
}

/** Replaces the order, or asks first if the new one would fill immediately. */
async function replaceFromForm(principal: Principal, form: FormData): Promise<EditState> {
  const { id: orderId, tickSize } = await getOrderLine(principal, readText(form, "orderId"));
  const request = {
    orderId,
    key: readText(form, "key"),
    price: parsePrice(readText(form, "price"), tickSize),
    shares: parseShares(readText(form, "shares")),
  };
  try {
    const confirmed = parseConfirmation(readText(form, "confirmation"));
    const review = await reviewReplacement(principal, request, confirmed);
    if (review) return { status: "asked", question: createQuestion(review, request, form) };
    return { status: "replaced", result: await replaceOrder(principal, request) };
  } catch (error) {
    throw error instanceof AppError ? withField(error) : error;
  }
}

function createQuestion(
  review: ReplacementReview,
  { price, shares: size }: ReplaceRequest,
  form: FormData,
): EditQuestion {
  return {
    text: describeQuestion(review),
    typed: { price: readText(form, "price"), shares: readText(form, "shares") },
    confirmation: [price, size, review.average].map(formatMicro).join(" "),
  };
}

function parseConfirmation(text: string): ConfirmedTerms | null {
  const [price, size, average] = text.split(" ").map(parseMicro);
  if (!price?.ok || !size?.ok || !average?.ok) return null;
  return {
    price: toPrice(price.micro),
    shares: shares(size.micro),
    average: toPrice(average.micro),
  };
}

function parsePrice(text: string, tickSize: string): Price {
  const tick = toPrice(BigInt(Math.round(Number(tickSize) * 1_000_000)));
  const reading = readPrice(text, tick);
  if (reading.kind === "price") return reading.price;
  throw fieldError("price", describeIssue(createPriceIssue(reading, tick)));
}

function parseShares(text: string): Shares {
  const typed = readTyped(text, true);
  if (typed.kind === "number") return shares(typed.micro);
  throw fieldError("shares", "Enter a number of shares, such as 100.");
}

const fieldError = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });

const FIELDS: Partial<Record<ErrorCode, string>> = {
  PRICE_OFF_TICK: "price",
  ORDER_TOO_SMALL: "shares",
  PRECISION_TOO_HIGH: "shares",
  INSUFFICIENT_SHARES: "shares",
};

/** Adds the field that an error is about. */
function withField(error: AppError): AppError {
  const field = error.field ?? FIELDS[error.code];
  return field === undefined ? error : new AppError(error.code, error.message, { field });
}
