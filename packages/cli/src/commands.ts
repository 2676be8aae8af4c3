import type { Command } from "./command.ts";
import { ACCOUNT_COMMANDS } from "./commands/account.ts";
import { EVENT_COMMANDS } from "./commands/events.ts";
import { MARKET_COMMANDS } from "./commands/markets.ts";
import { AGENT_COMMANDS } from "./commands/mcp.ts";
import { ORDER_COMMANDS } from "./commands/orders.ts";
import { makeCompletionCommand, SETUP_COMMANDS } from "./commands/setup.ts";

/** Every command, in the order of the help. A new one needs a line here only. */
export const COMMANDS: readonly Command[] = [
  ...SETUP_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...MARKET_COMMANDS,
  ...ORDER_COMMANDS,
  ...EVENT_COMMANDS,
  ...AGENT_COMMANDS,
  makeCompletionCommand(() => COMMANDS),
];

/** Finds the command that the words begin with: of two words, or of one. */
export function findCommand(words: readonly string[]): Command | undefined {
  const [first = "", second = ""] = words;
  return COMMANDS.find(({ name }) => name === `${first} ${second}` || name === first);
}
