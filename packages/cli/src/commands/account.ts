import { type Command, refuseArguments } from "../command.ts";
import { CliError } from "../exit-codes.ts";

const balance: Command = {
  name: "balance",
  summary: "Show the account's USDC balance and addresses.",
  async run({ args, output, connect }) {
    refuseArguments(args);
    const ante = connect();
    const result = await ante.account.balance();
    output.facts(
      { mode: ante.mode, ...result },
      {
        mode: ante.mode,
        balance: `${result.balanceUsdc} USDC`,
        address: result.address,
        funder: result.funderAddress,
      },
    );
  },
};

const positions: Command = {
  name: "positions",
  summary: "Show positions, their value and their profit.",
  async run({ args, output, connect }) {
    refuseArguments(args);
    const portfolio = await connect().positions.list();
    const rows = portfolio.positions.map((position) => ({
      market: position.marketTitle,
      outcome: position.outcome,
      shares: position.shares,
      average: position.avgPrice,
      price: position.currentPrice,
      value: position.value,
      pnl: position.pnl,
      claimable: position.redeemable ? "yes" : "",
      token: position.id,
    }));
    output.table(portfolio, rows, "No positions.");
  },
};

const key: Command = {
  name: "key",
  summary: "Show the API key, its scopes, and what is left of its limits.",
  async run({ args, output, connect }) {
    refuseArguments(args);
    const result = await connect().key.get();
    const limits = Object.entries(result.limits ?? {}).map(([name, state]) => [
      `limit ${name}`,
      describeLimit(state),
    ]);
    output.facts(result, {
      name: result.name,
      id: result.id,
      mode: result.mode,
      scopes: result.scopes.join(", "),
      expires: result.expiresAt ?? "never",
      frozen: result.frozen ? "yes" : "no",
      ...(limits.length === 0 ? { limits: "none" } : (Object.fromEntries(limits) as object)),
    });
  },
};

const freeze: Command = {
  name: "freeze",
  summary: "Stop this API key from placing orders, and cancel its open ones.",
  details: "Only the owner of the key can thaw it, in the dashboard.",
  options: { yes: { type: "boolean", help: "Confirm it." } },
  examples: ["ante freeze --yes"],
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    if (given["yes"] !== true) {
      throw new CliError(
        "NOT_CONFIRMED",
        "A freeze stops this key from placing orders until its owner thaws it in the dashboard.",
        "Add --yes to freeze the key.",
        1,
      );
    }
    const result = await connect().key.freeze();
    output.result(result, () => "The key is frozen. Its open orders are canceled.");
  },
};

/** A limit is an amount or a count with what is left, or a list. */
function describeLimit(state: unknown): string {
  if (typeof state !== "object" || state === null) return String(state);
  if (!("remaining" in state)) return JSON.stringify(state);
  const { limit, remaining } = state as { limit?: unknown; remaining?: unknown };
  return `${String(remaining)} of ${String(limit)} left`;
}

export const ACCOUNT_COMMANDS = [balance, positions, key, freeze];
