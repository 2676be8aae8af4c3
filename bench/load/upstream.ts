// A venue that answers after a set time and uses hardly any CPU: it passes public reads on once and
// repeats them. It accepts every order and cancel without an exchange behind it, lists what it accepted,
// and trades nothing.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import { computeOrderHash, type OrderStruct } from "@/lib/polymarket/protocol/order-hash";

const { PORT = "", UPSTREAM = "", DELAY_MS = "" } = process.env;
const CHAIN = 137;
const BASE_UNITS = 1_000_000;

interface Reply {
  status: number;
  type: string;
  body: string;
}

const json = (value: unknown): Reply => ({
  status: 200,
  type: "application/json",
  body: JSON.stringify(value),
});

const known = new Map<string, Promise<Reply>>();

createServer((request, response) => void answer(request, response)).listen(
  Number(PORT),
  "127.0.0.1",
);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answeredAt = wait(Number(DELAY_MS));
  const body = await readText(request);
  const [reply] = await Promise.all([findReply(request, body).catch(toFailure), answeredAt]);
  response.writeHead(reply.status, {
    "content-type": reply.type,
    "content-length": Buffer.byteLength(reply.body),
  });
  response.end(reply.body);
}

async function findReply(request: IncomingMessage, body: string): Promise<Reply> {
  const { method = "", url = "" } = request;
  if (method === "POST" && url.endsWith("/clob/order")) return acceptOrder(body);
  if (method === "DELETE" && url.endsWith("/clob/order")) return acceptCancel(body);
  if (method !== "GET") return passOn(request, body);
  const owner = request.headers["poly_api_key"];
  if (owner !== undefined && url.includes("/clob/data/")) return listOwn(url, owner);
  const key = `${url} ${String(request.headers["poly_address"] ?? "")}`;
  const found = known.get(key) ?? passOn(request, body);
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

const toFailure = (error: unknown): Reply => ({
  status: 502,
  type: "text/plain",
  body: String(error),
});

interface WireOrder extends Omit<OrderStruct, "salt"> {
  salt: number;
}

/** An accepted order as the venue lists it (polymarket.md 2.4). */
interface ListedOrder {
  id: string;
  status: "LIVE" | "CANCELED";
  /** The API key that posted it. */
  owner: string;
  maker_address: string;
  asset_id: string;
  side: WireOrder["side"];
  original_size: string;
  size_matched: string;
  price: string;
  order_type: string;
  created_at: number;
}

const accepted = new Map<string, ListedOrder>();

/** Returns an order by its id, the open orders of an API key, or its trades, of which there are none. */
function listOwn(url: string, owner: unknown): Reply {
  const [, id] = /\/clob\/data\/order\/(0x\w+)/.exec(url) ?? [];
  if (id !== undefined) return json(accepted.get(id) ?? null);
  const isOpen = (order: ListedOrder) => order.owner === owner && order.status === "LIVE";
  const data = url.includes("/data/orders") ? [...accepted.values()].filter(isOpen) : [];
  return json({ limit: data.length, count: data.length, next_cursor: "LTE=", data });
}

/** Accepts an order under the id that its signer computed: its hash for one of the two exchanges. */
function acceptOrder(body: string): Reply {
  const { order, owner, orderType } = JSON.parse(body) as Record<"owner" | "orderType", string> & {
    order: WireOrder;
  };
  const struct = { ...order, salt: String(order.salt) };
  const orderID = computeOrderHash(struct, getExchangeDomain(CHAIN, EXCHANGE));
  const isBuy = order.side === "BUY";
  const [size, cash] = [
    Number(isBuy ? order.takerAmount : order.makerAmount),
    Number(isBuy ? order.makerAmount : order.takerAmount),
  ];
  accepted.set(orderID, {
    id: orderID,
    status: "LIVE",
    owner,
    maker_address: order.maker,
    asset_id: order.tokenId,
    side: order.side,
    original_size: String(size / BASE_UNITS),
    size_matched: "0",
    price: String(cash / size),
    order_type: orderType,
    created_at: Math.floor(Date.now() / 1000),
  });
  const amounts = { makingAmount: "", takingAmount: "" };
  return json({ success: true, errorMsg: "", orderID, ...amounts, status: "live" });
}

/** All markets that the benchmark trades through this venue are of this exchange. */
const EXCHANGE = "ctf";

function acceptCancel(body: string): Reply {
  const { orderID } = JSON.parse(body) as { orderID: string };
  const order = accepted.get(orderID);
  if (order) order.status = "CANCELED";
  return json({ canceled: [orderID], not_canceled: {} });
}

async function passOn({ method = "", url = "", headers }: IncomingMessage, body: string) {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(poly_|accept$|content-type)/.test(name),
  );
  const reply = await fetch(UPSTREAM + url, {
    method,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    ...(body === "" ? {} : { body }),
  });
  const type = reply.headers.get("content-type") ?? "application/json";
  return { status: reply.status, type, body: await reply.text() };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
