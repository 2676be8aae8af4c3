import "server-only";
import { readText } from "@/app/_lib/action";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import type { LimitTexts } from "@/lib/domain/limit-texts";
import { AMOUNT_LIMITS, COUNT_LIMITS, LIMITED_ACTIONS } from "@/lib/domain/limits";
import { AppError } from "@/lib/errors";
import type { FrozenOrders } from "@/lib/limits/freeze";
import type { Subject } from "@/lib/limits/subject";
import type { Mode } from "@/lib/venue/port";

/** Reads what a form is about: "user", "account" for the account of the page, or "key:" with an id. */
export function readSubject(form: FormData, mode: Mode): Subject {
  const text = readText(form, "subject");
  if (text === "user") return { scope: "user" };
  if (text === "account") return { scope: "account", mode };
  if (text.startsWith("key:")) return { scope: "key", keyId: text.slice("key:".length) };
  throw new AppError("VALIDATION_ERROR", "This form is out of date. Reload the page.");
}

/** Reads the fields of `LimitFields`. A missing field limits nothing. */
export function readLimitTexts(form: FormData): LimitTexts {
  const names = [
    ...AMOUNT_LIMITS,
    ...COUNT_LIMITS,
    "maxDistanceFromMid",
    "approvalAbove",
    "markets",
    "ipAllow",
  ] as const;
  const texts = Object.fromEntries(names.map((name) => [name, readText(form, name)]));
  const blocked = LIMITED_ACTIONS.filter((action) => form.has(`block${action}`));
  return { ...(texts as Record<(typeof names)[number], string>), blocked };
}

/** Returns the page that shows a change of a subject. */
export function buildSubjectHref(subject: Subject, done: "limits" | "frozen" | "thawed"): string {
  if (subject.scope === "key") return `/keys/${encodeURIComponent(subject.keyId)}?done=${done}`;
  return `${buildSettingsHref("limits")}&saved=${done}`;
}

/** Returns the page that shows a freeze, and the orders that it canceled. */
export function buildFrozenHref(
  subject: Subject,
  { canceled, late, waiting }: FrozenOrders,
): string {
  const orders = `canceled=${canceled}&late=${late}&waiting=${waiting}`;
  return `${buildSubjectHref(subject, "frozen")}&${orders}`;
}
