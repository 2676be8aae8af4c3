import type { OrderRequest, OrderStatus, OrderSummary, SimulatedFault } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import {
  type Command,
  type ExitCode,
  getDecimal,
  getNumber,
  getText,
  type Given,
  refuseArguments,
  requireArgument,
  requireText,
  UsageError,
} from "../command.ts";
import { CliError, describeFailure } from "../exit-codes.ts";
import { findFiles } from "../settings.ts";
import { takeFirst } from "../take-first.ts";

const ORDER_OPTIONS = {
  token: { type: "string", short: "t", help: "The outcome: a tokenId of `ante markets search`." },
  action: { type: "string", short: "a", help: "buy or sell." },
  amount: { type: "string", help: "USDC to spend, for a buy." },
  shares: { type: "string", help: "Shares to trade." },
  price: {
    type: "string",
    help: "The limit price, such as 0.42; of a market order, the worst price.",
  },
  type: { type: "string", help: "market or limit. By default limit if --price is given." },
  "time-in-force": { type: "string", help: "GTC, GTD, FAK or FOK." },
  expires: { type: "string", help: "When a GTD order expires, such as 2026-12-01T12:00:00Z." },
  "post-only": { type: "boolean", help: "Reject the order instead of filling it at once." },
} as const;

const DEADLINE_OPTION = {
  deadline: { type: "string", help: "Seconds to repeat the order for; 60 by default." },
} as const;

const preview: Command = {
  name: "order preview",
  summary: "Show what an order would do now. Nothing is placed.",
  options: ORDER_OPTIONS,
  examples: ["ante order preview --token 7983… --action buy --amount 5"],
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    const ante = connect();
    const result = await ante.orders.preview(readOrder(given));
    output.facts(result, {
      mode: ante.mode,
      refusal: result.refusal?.message ?? "none",
      "average price": result.avgPrice,
      "worst price": result.worstPrice,
      "fills now": `${result.shares} shares`,
      "stays open": `${result.restingShares} shares`,
      fee: `${result.fee} USDC`,
      cost: `${result.cost} USDC`,
      "must be available": `${result.holdUsdc} USDC`,
      available: `${result.availableUsdc} USDC`,
      "needs approval": result.needsApproval ? "yes" : "no",
    });
    return result.refusal === null ? 0 : 1;
  },
};

const place: Command = {
  name: "order place",
  summary: "Place an order exactly once.",
  details: `The idempotency key is on disk before the first attempt. The same order is repeated until the outcome is known.
If the command is killed, or exits with 3, \`ante order resume\` finishes the same order.`,
  options: {
    ...ORDER_OPTIONS,
    ...DEADLINE_OPTION,
    key: { type: "string", help: "Your own idempotency key. By default the command makes one." },
    simulate: {
      type: "string",
      help: "Paper only: lost-answer, timeout, unavailable, slow or delayed, in the first attempt.",
    },
  },
  examples: [
    "ante order place --token 7983… --action buy --amount 5",
    "ante order place --token 7983… --action sell --shares 10 --price 0.62",
  ],
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    const order = readOrder(given);
    const ante = connect();
    const placed = await ante.orders.place(order, {
      idempotencyKey: getText(given, "key"),
      simulate: readSimulated(given),
      ...readDeadline(given),
    });
    output.facts(
      { mode: ante.mode, ...placed },
      {
        mode: ante.mode,
        order: placed.orderId,
        status: placed.status,
        message: placed.message,
        "approve at": placed.approvalUrl,
        key: placed.idempotencyKey,
      },
    );
    return placed.status === "pending_approval" ? 5 : 0;
  },
};

const resume: Command = {
  name: "order resume",
  summary: "Finish the orders whose outcome is not known.",
  details:
    "Repeats each one with its key, so it is placed at most once. Needs the API key that placed it.",
  options: DEADLINE_OPTION,
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    const resumed = await connect().orders.resume(readDeadline(given));
    const rows = resumed.map((result) => ({
      key: result.entry.idempotencyKey,
      outcome: result.status,
      order: result.status === "accepted" ? String(result.data["orderId"] ?? "") : "",
      message:
        result.status === "accepted"
          ? String(result.data["message"] ?? result.data["status"])
          : result.error.message,
    }));
    output.table({ resumed: rows }, rows, "Every order has a known outcome.");
    return resumed.reduce<ExitCode>((worst, result) => {
      if (result.status === "accepted") return worst;
      const { exitCode } = describeFailure(result.error);
      return worst === 3 || result.status === "unknown" ? 3 : exitCode;
    }, 0);
  },
};

const forget: Command = {
  name: "order forget",
  summary: "Forget an unfinished order, such as one that was sent to a wrong address.",
  details: `Nothing is sent. If the service got the order, it stays as it is: look for it with \`ante order get --key KEY\`
first. \`ante doctor\` lists the unfinished orders.`,
  usage: "<idempotency key>",
  options: { yes: { type: "boolean", help: "Confirm it." } },
  examples: ["ante order forget ac_52…07 --yes"],
  async run({ args, given, output }) {
    const key = requireArgument(args, "idempotency key");
    const journal = fileJournal(findFiles(process.env).journal);
    const entry = journal.listUnsettled().find(({ idempotencyKey }) => idempotencyKey === key);
    if (!entry)
      throw new CliError(
        "NOT_FOUND",
        `No unfinished order has the key ${key}.`,
        "Run `ante doctor`.",
        1,
      );
    if (given["yes"] !== true) {
      throw new CliError(
        "NOT_CONFIRMED",
        `${key} was sent to ${entry.baseUrl}, which may have got it.`,
        "Add --yes to forget it.",
        1,
      );
    }
    await journal.settle(key, { status: "refused", code: "FORGOTTEN", message: "Forgotten here." });
    output.result({ forgotten: key }, () => `${key} is forgotten.`);
  },
};

const cancel: Command = {
  name: "order cancel",
  summary: "Cancel an order, or all open orders.",
  usage: "<orderId> | --all [--market <id or slug>]",
  options: {
    all: { type: "boolean", help: "Cancel all open orders." },
    market: { type: "string", help: "With --all: only the orders of this market." },
  },
  async run({ args, given, output, connect }) {
    if (given["all"] === true) {
      refuseArguments(args);
      const market = getText(given, "market");
      const outcome = await connect().orders.cancelAll(market === undefined ? {} : { market });
      output.facts(outcome, {
        canceled: outcome.canceled.length,
        "not canceled": outcome.notCanceled.map(({ id, status }) => `${id} (${status})`).join(", "),
      });
      return outcome.notCanceled.length === 0 ? 0 : 1;
    }
    if (getText(given, "market") !== undefined) throw new UsageError("--market needs --all.");
    const order = await connect().orders.cancel(requireArgument(args, "order id"));
    output.facts(order, describeOrder(order));
    return 0;
  },
};

const get: Command = {
  name: "order get",
  summary: "Show an order in any state.",
  usage: "<orderId> | --key <idempotency key>",
  options: { key: { type: "string", help: "Find the order that was placed with this key." } },
  async run({ args, given, output, connect }) {
    const key = getText(given, "key");
    if (key === undefined) {
      const order = await connect().orders.get(requireArgument(args, "order id"));
      return output.facts(order, describeOrder(order));
    }
    refuseArguments(args);
    const order = await connect().orders.find(key);
    if (order) return output.facts(order, describeOrder(order));
    output.result(null, () => `No order has the key ${key}.`);
    return 1;
  },
};

const list: Command = {
  name: "order list",
  summary: "List orders, newest first.",
  options: {
    status: { type: "string", help: "Only orders in this state, such as open or filled." },
    market: { type: "string", help: "Only orders of this market, by id or slug." },
    limit: { type: "string", help: "How many; 20 by default." },
  },
  async run({ args, given, output, connect }) {
    refuseArguments(args);
    const { orders } = connect();
    const query = {
      ...(getText(given, "status") === undefined
        ? {}
        : { status: getText(given, "status") as OrderStatus }),
      ...(getText(given, "market") === undefined ? {} : { market: requireText(given, "market") }),
    };
    const found = await takeFirst(orders.list(query), getNumber(given, "limit") ?? 20);
    const rows = found.map((order) => ({
      order: order.id,
      status: order.status,
      action: order.action,
      shares: order.shares ?? `${order.amount} USDC`,
      price: order.price,
      filled: order.filledShares,
      created: order.createdAt,
    }));
    output.table({ orders: found }, rows, "No orders.");
  },
};

export const ORDER_COMMANDS = [preview, place, resume, forget, cancel, get, list];

const describeOrder = (order: OrderSummary) => ({
  order: order.id,
  status: order.status,
  action: order.action,
  type: order.type,
  market: order.marketId,
  token: order.tokenId,
  price: order.price,
  shares: order.shares,
  amount: order.amount,
  filled: order.filledShares,
  "average price": order.avgFillPrice,
  fee: order.fee,
  key: order.idempotencyKey,
  created: order.createdAt,
});

function readOrder(given: Given): OrderRequest {
  const price = getDecimal(given, "price");
  const type = getText(given, "type")?.toLowerCase() ?? (price === undefined ? "market" : "limit");
  const order: Record<string, unknown> = {
    tokenId: requireText(given, "token"),
    action: readChoice("action", requireText(given, "action").toUpperCase(), ["BUY", "SELL"]),
    orderType: readChoice("type", type, ["market", "limit"]),
    amount: getDecimal(given, "amount"),
    shares: getDecimal(given, "shares"),
    price,
    timeInForce: getText(given, "time-in-force")?.toUpperCase(),
    expiresAt: getText(given, "expires"),
    postOnly: given["post-only"] === true ? true : undefined,
  };
  const entries = Object.entries(order).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as OrderRequest;
}

function readChoice(name: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new UsageError(`--${name} must be ${choices.join(" or ").toLowerCase()}.`);
}

const SIMULATED = ["lost-answer", "timeout", "unavailable", "slow", "delayed"] as const;

function readSimulated(given: Given): SimulatedFault | undefined {
  const value = getText(given, "simulate");
  const fault = SIMULATED.find((one) => one === value);
  if (value !== undefined && fault === undefined)
    throw new UsageError(`--simulate must be ${SIMULATED.join(", ")}.`);
  return fault;
}

function readDeadline(given: Given): { deadlineMs?: number } {
  const seconds = getNumber(given, "deadline");
  return seconds === undefined ? {} : { deadlineMs: seconds * 1_000 };
}
