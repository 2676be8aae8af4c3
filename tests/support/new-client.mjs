// Trades on the sandbox with the unmodified `@polymarket/client`, which needs Node 24. Prints what it
// saw as one line of JSON. Arguments: the service's origin, and a folder to find the package from.
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
  // Nothing of this may need a chain.
  rpc: "http://127.0.0.1:9/",
});

function signerOf(wallet) {
  const never = async () => {
    throw new Error("paper has no chain");
  };
  return {
    getAddress: async () => wallet.address,
    // ethers finds the domain's type by itself, and takes it for another message.
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

/** What the user channel tells while the wallet trades. */
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

async function trade(wallet) {
  const owner = new Wallet(Wallet.createRandom().privateKey);
  const chosen = wallet === "eoa" ? { wallet: owner.address } : {};
  const client = await sdk.createSecureClient({ environment, signer: signerOf(owner), ...chosen });
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
const result = { deposit: await trade("deposit"), eoa: await trade("eoa") };
process.stdout.write(`${JSON.stringify(result, asJson)}\n`);
process.exit(0);
