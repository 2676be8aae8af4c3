import { request } from "node:http";
import { OrderType, Side } from "@polymarket/clob-client-v2";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  cleanUpAfterwards,
  preparedDataDir,
  type Product,
  startProduct,
  until,
} from "@/tests/support/product/product";
import {
  makeSandboxTrader,
  type SandboxMarket,
  sandboxMarkets,
} from "@/tests/support/sandbox/client";

cleanUpAfterwards();

let product: Product;
let market: SandboxMarket;
const httpHost = () => `http://127.0.0.1:${product.port}/sandbox/clob`;
const wsHost = (at = product) => `ws://127.0.0.1:${at.port}/sandbox/clob/ws`;

beforeAll(async () => {
  product = await startProduct({ dataDir: preparedDataDir() });
  const [first] = await sandboxMarkets(httpHost());
  if (!first) throw new Error("no market is open");
  market = first;
});

type Message = Record<string, unknown>;

interface Listening {
  socket: WebSocket;
  messages: Message[];
  raw: string[];
  closed: Promise<number>;
}

/** Connects and sends the first frame. */
async function listen(url: string, frame?: object, headers = {}): Promise<Listening> {
  const socket = new WebSocket(url, { headers });
  const listening: Listening = {
    socket,
    messages: [],
    raw: [],
    closed: new Promise((resolve) => socket.once("close", resolve)),
  };
  socket.on("message", (data) => {
    const text = String(data);
    listening.raw.push(text);
    if (/^[[{]/.test(text)) listening.messages.push(...[JSON.parse(text)].flat());
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  if (frame) socket.send(JSON.stringify(frame));
  return listening;
}

const refusal = (url: string, headers = {}) =>
  listen(url, undefined, headers).then(
    async ({ socket, closed }) => {
      socket.close();
      await closed;
      return "accepted";
    },
    (error: Error) => error.message,
  );

const tokenId = () => market.tokens[0]?.token_id ?? "";
const subscription = () => ({ type: "market", assets_ids: [tokenId()] });

describe("the sandbox's WebSockets", () => {
  it("send an order and its trade to the owner and to the public, in agreement with REST", async () => {
    const { client, creds } = await makeSandboxTrader(httpHost(), 3);
    const auth = { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase };
    const user = await listen(`${wsHost()}/user`, { auth, type: "user" });
    const open = await listen(`${wsHost()}/market`, subscription());
    await until("the book", async () => open.messages.length > 0);
    expect(open.messages[0]).toMatchObject({ event_type: "book", asset_id: tokenId() });

    const terms = { tokenID: tokenId(), price: 0.05, size: 20, side: Side.BUY };
    const placed = await client.createAndPostOrder(terms, { tickSize: "0.01" }, OrderType.GTC);
    const bought = await client.createAndPostMarketOrder(
      { tokenID: tokenId(), amount: 5, side: Side.BUY },
      { tickSize: "0.01" },
      OrderType.FAK,
    );
    expect(bought.status).toBe("matched");
    await until("the trade's end", async () =>
      user.messages.some(({ status }) => status === "CONFIRMED"),
    );
    const ofOrder = user.messages.filter(({ id }) => id === placed.orderID);
    expect(ofOrder).toMatchObject([{ event_type: "order", type: "PLACEMENT", status: "LIVE" }]);
    const [trade] = await client.getTrades();
    const stages = user.messages.filter(({ id }) => id === trade?.id);
    expect(stages.map(({ status }) => status)).toEqual(["MATCHED", "MINED", "CONFIRMED"]);
    expect(stages.at(-1)).toMatchObject({
      size: trade?.size,
      price: trade?.price,
      transaction_hash: trade?.transaction_hash,
    });
    expect(open.messages.map(({ event_type }) => event_type)).toEqual(
      expect.arrayContaining(["price_change", "last_trade_price"]),
    );
    const last = await client.getLastTradePrice(tokenId());
    const told = open.messages.findLast(({ event_type }) => event_type === "last_trade_price");
    expect(last).toEqual({ price: told?.["price"], side: told?.["side"] });
    for (const { socket, closed } of [user, open]) {
      socket.close();
      await closed;
    }
  });

  it("answer PING at every path, and stay silent for bad credentials until they close", async () => {
    for (const path of ["sandbox/clob/ws/market", "sandbox/ws/market", "sandbox/ws/user"]) {
      const { socket, raw, closed } = await listen(`ws://127.0.0.1:${product.port}/${path}`);
      socket.send("PING");
      await until("PONG", async () => raw.includes("PONG"));
      socket.close();
      await closed;
    }
    const auth = { apiKey: "9180014b-33c8-9240-a14b-bdca11c0a465", secret: "x", passphrase: "y" };
    const bad = await listen(`${wsHost()}/user`, { auth, type: "user" });
    bad.socket.send("PING");
    await bad.closed;
    expect(bad.raw).toEqual([]);
  });

  it("reject other origins, unknown paths and large frames", async () => {
    const url = `${wsHost()}/market`;
    expect(await refusal(url, { origin: "https://elsewhere.example" })).toMatch(/403/);
    expect(await refusal(url, { origin: `http://127.0.0.1:${product.port}` })).toBe("accepted");
    expect(await refusal(`${wsHost()}/other`)).toMatch(/404/);
    const large = await listen(url);
    large.socket.send(" ".repeat(65 * 1024));
    expect(await large.closed).toBe(1009);
  });

  it("don't affect an ordinary request with a body that offers HTTP/2", async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        connection: "Upgrade, HTTP2-Settings",
        upgrade: "h2c",
        "http2-settings": "x",
      };
      const path = "/sandbox/clob/books";
      const asked = request({
        host: "127.0.0.1",
        port: product.port,
        method: "POST",
        path,
        headers,
      });
      asked.once("response", (response) => resolve(response.statusCode));
      asked.once("error", reject);
      asked.end(JSON.stringify([{ token_id: tokenId() }]));
    });
    expect(status).toBe(200);
  });

  it("limit the connections of one address", async () => {
    const all: Listening[] = [];
    for (let count = 0; count < 50; count += 1) all.push(await listen(`${wsHost()}/market`));
    expect(await refusal(`${wsHost()}/market`)).toMatch(/429/);
    for (const { socket } of all) socket.close();
    await Promise.all(all.map(({ closed }) => closed));
    await until("room", async () => (await refusal(`${wsHost()}/market`)) === "accepted");
  });

  it("close when the service stops, without delaying it", async () => {
    const { closed } = await listen(`${wsHost()}/market`, subscription());
    const { code, inMs } = await product.stop();
    expect(await closed).toBe(1001);
    expect(code).toBe(0);
    expect(inMs).toBeLessThan(5_000);
  });
});
