import { ACTION_LABELS, LIMIT_LABELS } from "@/lib/domain/limit-texts";
import {
  LIMIT_NAMES,
  LIMITED_ACTIONS,
  type LimitedAction,
  type LimitName,
} from "@/lib/domain/limits";

const MINUTE_MS = 60_000;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const AVAILABLE_FROM = new RegExp(`(?<=More is available from )${TIME}`, "g");
const ANY_TIME = new RegExp(TIME, "g");
const LIMIT = new RegExp(String.raw`\blimit (${LIMIT_NAMES.join("|")})\b`, "g");
const ALLOWED_ACTIONS = /(?<=\blimit actions of this [a-z]+(?: key)? allows )[^.]+/i;
const ACTION = new RegExp(String.raw`\b(${LIMITED_ACTIONS.join("|")})\b`, "g");

/**
 * Rewrites a refusal of the API for pages: limits and actions with their labels, and times by `formatTime`,
 * which is given ISO 8601. Times from which more is available are rounded up to the minute.
 */
export function writeRefusal(message: string, formatTime: (at: string) => string): string {
  return message
    .replace(ALLOWED_ACTIONS, (list) =>
      list.replaceAll(ACTION, (_, action: LimitedAction) => ACTION_LABELS[action]),
    )
    .replaceAll(LIMIT, (_, name: LimitName) => `limit “${LIMIT_LABELS[name]}”`)
    .replaceAll(AVAILABLE_FROM, (at) => formatTime(roundUp(at)))
    .replaceAll(ANY_TIME, formatTime);
}

const roundUp = (at: string) =>
  new Date(Math.ceil(Date.parse(at) / MINUTE_MS) * MINUTE_MS).toISOString();
