import { TimeStamp } from "@/components/format/time-stamp";
import { AMOUNT_LIMITS } from "@/lib/domain/limits";
import { LIMIT_LABELS } from "@/lib/domain/limit-texts";
import { describeBrowser } from "@/components/settings/browser-name";

type LimitChange = Record<"former" | "now", Readonly<Record<string, unknown>>>;

interface Detail {
  address?: string;
  browser?: string;
  name?: string;
  formerName?: string;
  scopes?: readonly string[];
  mode?: "paper" | "live";
  wallet?: string;
  transaction?: string;
  scope?: "key" | "account" | "user";
  reason?: string;
  order?: string;
  limits?: LimitChange;
}

/** A security event of the account. */
interface SecurityEvent {
  id: string;
  kind: string;
  at: string;
  keyId: string | null;
  detail: Detail;
}

/** The account's security events, newest first. */
export function SecurityLog({ events }: { events: readonly SecurityEvent[] }) {
  if (events.length === 0) return <p className="text-text-2">Nothing recorded yet.</p>;
  return (
    <ul className="divide-y divide-border rounded-control border border-border">
      {events.map((event) => (
        <li
          key={event.id}
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-3 py-2.5"
        >
          <div className="min-w-0">
            <p className="font-[550] break-words">{getTitle(event)}</p>
            <p className="text-small break-words text-text-2">{formatNote(event)}</p>
          </div>
          <span className="text-small text-text-2">
            <TimeStamp at={event.at} isRelative={false} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  account_created: "Account created",
  signed_in: "Signed in",
  sign_in_failed: "Sign-in failed",
  password_refused: "Wrong password when confirming a change",
  signed_out: "Signed out",
  session_ended: "Another browser signed out",
  other_sessions_ended: "All other browsers signed out",
  password_changed: "Password changed",
  reset_link_created: "Password reset link created by the operator",
  password_reset: "Password reset with a link",
  mode_switched: "Account switched",
  key_created: "API key created",
  key_rotated: "API key rotated",
  key_renamed: "API key renamed",
  key_revoked: "API key revoked",
  limits_changed: "Limits changed",
  trading_frozen: "Trading frozen",
  trading_thawed: "Trading thawed",
  order_approved: "Order approved",
  wallet_imported: "Live wallet imported",
  wallet_removed: "Live wallet removed",
  transaction_settled: "Wallet transaction settled by the operator",
  push_turned_on: "Push notifications turned on",
  push_turned_off: "Push notifications turned off",
  factor_asked: "Password accepted, second factor asked for",
  factor_refused: "Wrong second factor",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  totp_added: "Authenticator app set up",
  totp_removed: "Authenticator app removed",
  recovery_codes_created: "Recovery codes created",
  recovery_code_used: "Recovery code used",
  factors_removed: "Second factors removed by the operator",
};

/** The names of limited or frozen subjects other than keys. */
const SCOPE_WORDS = { account: "one account", user: "all accounts" } as const;

const getTitle = ({ kind }: SecurityEvent) => TITLES[kind] ?? kind;

/** Returns the event's details: key, address and browser. */
function formatNote({ keyId, detail }: SecurityEvent): string {
  const { address, browser, name, formerName, scopes, mode, wallet, scope, reason, order } = detail;
  const { transaction, limits } = detail;
  const parts = [
    name !== undefined &&
      (formerName === undefined ? `“${name}”` : `“${formerName}” is now “${name}”`),
    keyId !== null && `key ${keyId}`,
    scope !== undefined && scope !== "key" && SCOPE_WORDS[scope],
    limits && describeLimits(limits),
    reason,
    order !== undefined && `order ${order}`,
    transaction !== undefined && `transaction ${transaction}`,
    scopes?.join(", "),
    mode === "live" ? "real money" : mode === "paper" && "paper money",
    wallet,
    browser !== undefined && describeBrowser(browser),
    address !== undefined && `from ${address}`,
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
}

/** Such as "Per order: $60 → $50". */
function describeLimits({ former, now }: LimitChange): string {
  const names = Object.keys(LIMIT_LABELS) as (keyof typeof LIMIT_LABELS)[];
  return names
    .filter((name) => JSON.stringify(former[name]) !== JSON.stringify(now[name]))
    .map(
      (name) =>
        `${LIMIT_LABELS[name]}: ${formatLimit(name, former[name])} → ${formatLimit(name, now[name])}`,
    )
    .join(", ");
}

const AMOUNTS: readonly string[] = [...AMOUNT_LIMITS, "approvalAbove", "maxDistanceFromMid"];

function formatLimit(name: string, value: unknown): string {
  if (value === undefined || value === null) return "none";
  const text = Array.isArray(value) ? value.join(" ") : String(value);
  return AMOUNTS.includes(name) ? `$${text}` : text;
}
