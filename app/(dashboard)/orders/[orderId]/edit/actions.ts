"use server";

import { redirect } from "next/navigation";
import { readText, runAction } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { describeQuestion } from "@/app/(dashboard)/orders/[orderId]/edit/question";
import { type EditField, readPriceField, readSharesField } from "@/components/orders/edit-fields";
import type { EditQuestion, EditState } from "@/components/orders/edit-order-form";
import type { Principal } from "@/lib/auth/principal";
import { AppError, type ErrorCode } from "@/lib/errors";
import { getOrderLine } from "@/lib/orders/get-order";
import { replaceOrder, type ReplaceRequest } from "@/lib/orders/replace-order";
import {
  type ConfirmedTerms,
  type ReplacementReview,
  reviewReplacement,
} from "@/lib/orders/review-replacement";
import { formatMicro, parseMicro, price as toPrice, shares } from "@/lib/units";

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
  const page = `/orders/${encodeURIComponent(readText(form, "orderId"))}/edit`;
  redirect(result.outcome === "superseded" ? `${page}?unsaved=1` : page);
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
    price: readValue("price", readPriceField(readText(form, "price"), tickSize)),
    shares: readValue("shares", readSharesField(readText(form, "shares"))),
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

/** Returns a field's value. Throws its problem. */
function readValue<Value>(name: "price" | "shares", field: EditField<Value>): Value {
  if (field.problem === null) return field.value;
  throw new AppError("VALIDATION_ERROR", field.problem, { field: name });
}

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
