import { buildSettingsHref, SECURITY_HREF } from "@/components/shell/settings-sections";
import { findMatches, splitWords } from "@/lib/domain/search";
import type { Mode } from "@/lib/venue/port";

/** An action of a page. The command menu only leads to the page, which asks before it changes anything. */
export interface PageAction {
  label: string;
  href: string;
  /** Other words that find it. */
  synonyms: string;
}

const ACTIONS: readonly (PageAction & { mode?: Mode })[] = [
  { label: "Cancel all open orders", href: "/orders/cancel", synonyms: "close stop" },
  { label: "Claim all wins", href: "/#wins", synonyms: "redeem winnings payout positions" },
  {
    label: "Add funds",
    href: "/wallet#add-funds",
    synonyms: "deposit top up paper money",
    mode: "paper",
  },
  {
    label: "Reset paper account",
    href: "/wallet?reset=1#reset",
    synonyms: "start over",
    mode: "paper",
  },
  { label: "Create API key", href: "/keys/new", synonyms: "new add" },
  { label: "Add webhook endpoint", href: "/developers/webhooks/new", synonyms: "new create" },
  {
    label: "Freeze trading",
    href: buildSettingsHref("limits"),
    synonyms: "stop halt pause unfreeze",
  },
  { label: "Change password", href: buildSettingsHref("account"), synonyms: "new" },
  {
    label: "Set up second factor",
    href: SECURITY_HREF,
    synonyms: "2fa mfa two passkey authenticator app totp",
  },
];

/** Lists the actions of an account's pages. */
export const listPageActions = (mode: Mode): readonly PageAction[] =>
  ACTIONS.filter((action) => action.mode === undefined || action.mode === mode);

/** Finds the commands that a text means, best first: by parts of their words, or with a typo. */
export function findCommands<C extends { label: string; synonyms?: string }>(
  commands: readonly C[],
  text: string,
): C[] {
  return findMatches(commands, text, ({ label, synonyms = "" }) => [
    splitWords(label),
    splitWords(synonyms),
  ])
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
