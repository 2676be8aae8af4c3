// Approves, splits, merges and claims on the sandbox with the unmodified `@polymarket/client`, which needs
// Node 24. Prints the result as one line of JSON. Arguments: the sandbox's address, the folder from which to
// resolve the package, and a JSON of the markets to use.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { getBytes, Wallet } from "ethers";

const [sandbox = "", folder = "", plan = "{}"] = process.argv.slice(2);
const { builder, privateKey, wallet, conditions } = JSON.parse(plan);
const require = createRequire(`${folder}/`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const sdk = await load("@polymarket/client");
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
  rpc: `${sandbox}/rpc`,
});
const owner = new Wallet(privateKey);
const signer = {
  getAddress: async () => owner.address,
  // ethers derives the domain's type and would treat a given one as a second message type.
  signTypedData: ({ domain, types: { EIP712Domain: _domain, ...types }, message }) =>
    owner.signTypedData(domain, types, message),
  signMessage: (message) => owner.signMessage(getBytes(message)),
  sendTransaction: async () => {
    throw new Error("the relayer sends");
  },
};
const { builderApiKey } = await load("@polymarket/client/node");
const apiKey = builderApiKey(builder);
const client = await sdk.createSecureClient({ environment, signer, apiKey, wallet });

/** Runs an action and waits until the relayer has confirmed it. */
async function run(start) {
  try {
    const handle = await start();
    const outcome = handle?.wait ? await handle.wait() : handle;
    return { ok: true, hash: outcome?.transactionHash ?? null };
  } catch (error) {
    return { ok: false, error: String(error?.message ?? error) };
  }
}

const result = { approvals: await run(() => client.setupTradingApprovals()), markets: [] };
for (const { conditionId, isResolved } of conditions) {
  result.markets.push(
    isResolved
      ? { redeem: await run(() => client.redeemPositions({ conditionId })) }
      : {
          split: await run(() => client.splitPosition({ conditionId, amount: 5_000_000n })),
          merge: await run(() => client.mergePositions({ conditionId, amount: 2_000_000n })),
        },
  );
}
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
