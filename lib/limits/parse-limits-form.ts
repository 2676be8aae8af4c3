import "server-only";
import {
  AMOUNT_LIMITS,
  COUNT_LIMITS,
  LIMITED_ACTIONS,
  type LimitName,
  type Limits,
} from "@/lib/domain/limits";
import type { LimitTexts } from "@/lib/domain/limit-texts";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { AppError } from "@/lib/errors";
import { LimitsInput } from "@/lib/schemas/limits";
import { formatMicro, SCALE } from "@/lib/units";

/**
 * Reads limits from the texts of their form.
 *
 * @throws VALIDATION_ERROR for the field of the first text that is no limit.
 */
export function parseLimitsForm(texts: LimitTexts): Limits {
  const limits: Record<string, unknown> = {};
  for (const name of AMOUNT_LIMITS) limits[name] = readAmount(name, texts[name]);
  for (const name of COUNT_LIMITS) limits[name] = readCount(name, texts[name]);
  limits["maxDistanceFromMid"] = readCents(texts.maxDistanceFromMid);
  limits["approvalAbove"] = readAmount("approvalAbove", texts.approvalAbove);
  limits["markets"] = readLines(texts.markets);
  limits["ipAllow"] = readLines(texts.ipAllow);
  if (texts.blocked.length > 0) {
    limits["actions"] = LIMITED_ACTIONS.filter((action) => !texts.blocked.includes(action));
  }
  const parsed = LimitsInput.safeParse(limits);
  if (parsed.success) {
    refuseIdleLimits(parsed.data);
    return parsed.data;
  }
  throw explain(limits, parsed.error.issues[0]?.path ?? []);
}

/** Amounts that no order can reach, because another limit is lower, are a mistake. */
function refuseIdleLimits({ perOrder, perDay, total }: Limits): void {
  if (perOrder !== undefined && perDay !== undefined && perOrder > perDay) {
    throw refuse("perOrder", "This is more than the limit per day.");
  }
  if (perOrder !== undefined && total !== undefined && perOrder > total) {
    throw refuse("perOrder", "This is more than the limit in total.");
  }
  if (perDay !== undefined && total !== undefined && perDay > total) {
    throw refuse("perDay", "This is more than the limit in total.");
  }
}

function readAmount(name: LimitName, text: string): string | undefined {
  const typed = readTyped(text, true);
  if (typed.kind === "empty") return undefined;
  if (typed.kind === "number" && typed.decimals <= 6) return formatMicro(typed.micro);
  throw refuse(name, "Enter dollars, such as 50 or 12.50.");
}

function readCount(name: LimitName, text: string): number | undefined {
  const typed = readTyped(text, true);
  if (typed.kind === "empty") return undefined;
  if (typed.kind === "number" && typed.decimals === 0) return Number(typed.micro / SCALE);
  throw refuse(name, "Enter a whole number, such as 5.");
}

function readCents(text: string): string | undefined {
  const typed = readTyped(text, false);
  if (typed.kind === "empty") return undefined;
  // A price has six decimals, so its cents have four.
  if (typed.kind === "number" && typed.decimals <= 4) return formatMicro(typed.micro / 100n);
  throw refuse("maxDistanceFromMid", CENTS);
}

const CENTS = "Enter cents from 0 to 100, such as 5 or 2.5.";

function readLines(text: string): string[] | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const entries = [...new Set(lines.filter((line) => line !== ""))];
  return entries.length === 0 ? undefined : entries;
}

/** Says in the words of the form what the schema refuses. */
function explain(limits: Record<string, unknown>, path: readonly PropertyKey[]): AppError {
  const [name, index] = path;
  const entries = limits[String(name)];
  if (name === "markets" || name === "ipAllow") {
    if (typeof index !== "number" || !Array.isArray(entries)) {
      return refuse(name, "A list can have at most 100 entries.");
    }
    const entry = String(entries[index]);
    return refuse(
      name,
      name === "markets"
        ? `“${entry}” needs category:, event: or market: in front, such as category:Politics.`
        : `“${entry}” is no IP address or range, such as 203.0.113.0/24.`,
    );
  }
  if (name === "maxDistanceFromMid") return refuse(name, CENTS);
  const isCount = COUNT_LIMITS.some((count) => count === name);
  return refuse(String(name), isCount ? "Enter at most 1,000,000." : "Enter at most $10,000,000.");
}

const refuse = (field: string, message: string) =>
  new AppError("VALIDATION_ERROR", message, { field });
