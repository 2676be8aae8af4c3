// Trades on the sandbox with the unmodified `@polymarket/client`, which needs Node 24. Prints the result
// as one line of JSON. Arguments: the service's origin, and the folder from which to resolve the package.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Wallet } from "ethers";

const [origin = "", folder = ""] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const sdk = await load("@polymarket/client");
const { fetchBalanceAllowance } = await load("@polymarket/client/actions");
const sandbox = `${origin}/sandbox`;
const sockets = `${sandbox.replace("http", "ws")}/clob/ws`;
const environment = sdk.forkEnvironmentConfig({
  name: "sandbox",
  clob: {
    rest: `${sandbox}/clob`,
    market: { ws: `${sockets}/market` },
    user: { ws: `${sockets}/user` },
  },
  gamma: { rest: `${sandbox}/gamma` },
  data: { rest: `${sandbox}/data` },
  relayer: { rest: `${sandbox}/relayer` },
  // No part may need a chain.
  rpc: "http://127.0.0.1:9/",
});

function createSigner(wallet) {
  const never = async () => {
    throw new Error("paper has no chain");
  };
  return {
    getAddress: async () => wallet.address,
    // ethers derives the domain's type and would treat a given one as a second message type.
    signTypedData: ({ domain, types: { EIP712Domain: _domain, ...types }, message }) =>
      wallet.signTypedData(domain, types, message),
    signMessage: never,
    sendTransaction: never,
  };
}

async function collect(pages) {
  const items = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

async function tokenToTrade() {
  const response = await fetch(`${sandbox}/clob/sampling-markets`);
  const { data } = await response.json();
  const market = data.find(({ tokens, minimum_tick_size, end_date_iso }) => {
    const lasts = Date.parse(end_date_iso) - Date.now() > 86_400_000;
    return minimum_tick_size === 0.01 && lasts && tokens[0].price > 0.3 && tokens[0].price < 0.7;
  });
  return { tokenId: market.tokens[0].token_id, market: market.condition_id };
}

/** Collects the user channel's messages while the wallet trades. */
async function listen(client, seen) {
  const events = await client.subscribe([{ topic: "user" }]);
  void (async () => {
    for await (const event of events) seen.push(event);
  })();
  return events;
}

async function until(condition) {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function signIn(owner, wallet) {
  const chosen = wallet === "eoa" ? { wallet: owner.address } : {};
  return sdk.createSecureClient({ environment, signer: createSigner(owner), ...chosen });
}

/** Returns the venue's error message of a call; null if it succeeds. */
const readRefusal = (work) =>
  work.then(
    () => null,
    (error) => String(error.message),
  );

/** Places every kind of order and reads the prices around them. */
async function orderInEveryWay(client, tokenId) {
  const order = { tokenId, side: "BUY", price: 0.05, size: 20 };
  const inFiveMinutes = Math.floor(Date.now() / 1_000) + 300;
  const ask = Number(await client.fetchPrice({ tokenId, side: "SELL" }));
  const spend = { tokenId, side: "BUY", amount: 10 };
  const accepted = {
    gtd: await client.placeLimitOrder({ ...order, expiration: inFiveMinutes }),
    postOnly: await client.placeLimitOrder({ ...order, postOnly: true }),
    taking: await client.placeLimitOrder({ ...order, price: ask, size: 10 }),
    fak: await client.placeMarketOrder({ ...spend, orderType: "FAK" }),
    fok: await client.placeMarketOrder({ ...spend, orderType: "FOK" }),
  };
  const refused = {
    crossing: await readRefusal(client.placeLimitOrder({ ...order, price: ask, postOnly: true })),
    small: await readRefusal(client.placeLimitOrder({ ...order, size: 1 })),
    dear: await readRefusal(client.placeLimitOrder({ ...order, size: 1_000_000 })),
  };
  const shown = (await collect(client.listOpenOrders())).map((one) => one.orderType);
  await client.cancelAll();
  const book = await client.fetchOrderBook({ tokenId });
  const history = await client.fetchPriceHistory({ tokenId, interval: "1d" });
  const prices = {
    middle: Number(await client.fetchMidpoint({ tokenId })),
    levels: Math.min(book.bids.length, book.asks.length),
    history: history.length,
  };
  return { accepted, refused, shown: shown.toSorted(), prices };
}

const BATCH = 15;

/** Lists 600 open orders in two tokens, then cancels them in every way. */
async function fillTheBook(client, tokenIds) {
  const placed = [];
  for (let batch = 0; batch < 40; batch += 1) {
    const tokenId = tokenIds[batch % tokenIds.length];
    const wanted = { tokenId, side: "BUY", size: 5 };
    const orders = [];
    for (let leg = 0; leg < BATCH; leg += 1) {
      orders.push(await client.createLimitOrder({ ...wanted, price: 0.01 + (leg % 5) / 100 }));
    }
    placed.push(...(await client.postOrders(orders)).map(({ orderId }) => orderId));
  }
  const listed = (await collect(client.listOpenOrders())).map(({ id }) => id);
  const named = await client.cancelOrders({ orderIds: placed.slice(0, 20) });
  const ofToken = await client.cancelMarketOrders({ tokenId: tokenIds[0] });
  const rest = await client.cancelAll();
  const canceled = [named, ofToken, rest].map((answer) => answer.canceled.length);
  return {
    isWhole: JSON.stringify(placed.toSorted()) === JSON.stringify(listed.toSorted()),
    placed: new Set(placed).size,
    listed: listed.length,
    canceled,
    left: (await collect(client.listOpenOrders())).length,
  };
}

async function exercise() {
  const owner = new Wallet(Wallet.createRandom().privateKey);
  const client = await signIn(owner, "deposit");
  const again = await signIn(owner, "deposit");
  const { data } = await (await fetch(`${sandbox}/clob/sampling-markets`)).json();
  const { tokenId } = await tokenToTrade();
  const other = data.find(
    ({ tokens, minimum_tick_size }) =>
      minimum_tick_size === 0.01 && tokens[0].token_id !== tokenId && tokens[0].price > 0.1,
  );
  return {
    isSameKey: client.credentials.key === again.credentials.key,
    ways: await orderInEveryWay(client, tokenId),
    many: await fillTheBook(client, [tokenId, other.tokens[0].token_id]),
  };
}

async function trade(wallet) {
  const client = await signIn(new Wallet(Wallet.createRandom().privateKey), wallet);
  const { tokenId, market } = await tokenToTrade();
  const seen = [];
  const events = await listen(client, seen);
  const balance = () => fetchBalanceAllowance(client, { assetType: "COLLATERAL" });
  const before = await balance();
  const placed = await client.placeLimitOrder({ tokenId, side: "BUY", price: 0.05, size: 20 });
  const open = await collect(client.listOpenOrders());
  const order = await client.fetchOrder({ orderId: placed.orderId });
  const canceled = await client.cancelOrder({ orderId: placed.orderId });
  const bought = await client.placeMarketOrder({ tokenId, side: "BUY", amount: 25 });
  const sold = await client.placeMarketOrder({ tokenId, side: "SELL", shares: 5 });
  const second = await client.placeLimitOrder({ tokenId, side: "BUY", price: 0.06, size: 10 });
  const all = await client.cancelAll();
  const hashes = await client.waitForOrderFillSettlement(bought);
  const trades = await collect(client.listAccountTrades());
  await until(() => seen.length >= 6);
  await events.close();
  return {
    walletType: client.account.walletType,
    before: String(before.balance),
    after: String((await balance()).balance),
    placed,
    open,
    order,
    canceled,
    bought,
    sold,
    second,
    all,
    hashes,
    trades,
    listed: (await client.listMarkets({ pageSize: 5 }).firstPage()).items.length,
    eventsListed: (await client.listEvents({ pageSize: 5 }).firstPage()).items.length,
    found: (await client.search({ q: "will" }).firstPage()).items.events.length,
    activity: (await collect(client.listActivity())).map(({ type }) => type),
    notified: (await client.fetchNotifications()).length,
    positions: await collect(client.listPositions({ market: [market] })),
    events: seen.map(({ type, payload }) => `${type} ${payload.status}`),
  };
}

const asJson = (_key, value) => (typeof value === "bigint" ? value.toString() : value);
const result = {
  deposit: await trade("deposit"),
  eoa: await trade("eoa"),
  exercise: await exercise(),
};
process.stdout.write(`${JSON.stringify(result, asJson)}\n`);
process.exit(0);
