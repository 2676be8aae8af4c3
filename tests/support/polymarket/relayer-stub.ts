// A relayer and the chain behind it, in memory: enough of both protocols for claims, splits, merges and
// approvals (polymarket-wallets.md 2, 4 and 5). Every request can be given a fault.
import { Interface } from "ethers";
import { isBuilderRequest } from "@/lib/polymarket/protocol/builder-headers";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { decodePositionCall, type PositionCall } from "@/lib/polymarket/protocol/position-calls";
import { recoverBatchSigner } from "@/lib/polymarket/protocol/relayer-signature";
import { BUILDER } from "@/tests/support/live/builder";
import {
  type FaultServer,
  startFaultServer,
  type VenueCall,
} from "@/tests/support/live/fault-server";

interface Batch {
  type: string;
  from: string;
  nonce: string;
  signature: string;
  metadata: string;
  depositWalletParams: {
    depositWallet: string;
    deadline: string;
    calls: { target: string; value: string; data: string }[];
  };
}

interface StubTransaction {
  id: string;
  from: string;
  wallet: string;
  nonce: bigint;
  metadata: string;
  state: string;
  hash: string;
  calls: PositionCall[];
  /** How often its status was asked for. */
  polls: number;
}

/** The tokens of a condition, which the real chain derives. */
type Tokens = Record<string, readonly [string, string]>;

export interface RelayerStub {
  server: FaultServer;
  /** Every accepted transaction, in order. */
  transactions: StubTransaction[];
  /** Every transaction that the chain executed, in order. */
  executed: StubTransaction[];
  tokens: Tokens;
  /** Balances and approvals by `wallet/asset` and `wallet/contract/spender`, in lower case. */
  balances: Map<string, bigint>;
  approvals: Map<string, bigint>;
  /** The next nonce by owner in lower case. */
  nonces: Map<string, bigint>;
  /** The number of status requests before a transaction is confirmed. */
  confirmAfter: number;
  /** Makes every following transaction fail on the chain. */
  failing: boolean;
  /** Whether `/transactions` lists them. */
  isListing: boolean;
}

const ABI = new Interface([
  "function balanceOf(address account) view returns (uint256)",
  "function balanceOf(address account, uint256 id) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function isApprovedForAll(address account, address operator) view returns (bool)",
]);

export const balanceKey = (wallet: string, asset: string) => `${wallet}/${asset}`.toLowerCase();
const approvalKey = (wallet: string, contract: string, spender: string) =>
  `${wallet}/${contract}/${spender}`.toLowerCase();

export async function startRelayerStub(): Promise<RelayerStub> {
  const stub: Omit<RelayerStub, "server"> = {
    transactions: [],
    executed: [],
    tokens: {},
    balances: new Map(),
    approvals: new Map(),
    nonces: new Map(),
    confirmAfter: 1,
    failing: false,
    isListing: true,
  };
  const server = await startFaultServer((url, call, headers) => serve(whole, url, call, headers));
  const whole: RelayerStub = Object.assign(stub, { server });
  return whole;
}

const refuse = (status: number, error: string) => Response.json({ error }, { status });

async function serve(
  stub: RelayerStub,
  url: URL,
  call: VenueCall,
  headers: Headers,
): Promise<Response> {
  const path = call.path.replace(/^\/relayer/, "");
  if (call.path === "/rpc") return answerRpc(stub, call.body);
  const timestamp = headers.get("poly_builder_timestamp") ?? "";
  const signed = { timestamp, method: call.method, path, body: call.body };
  if (!isBuilderRequest(headers, BUILDER, signed)) return refuse(401, "invalid authorization");
  if (path === "/submit") return submit(stub, JSON.parse(call.body) as Batch);
  if (path === "/transactions") return Response.json(stub.isListing ? list(stub) : []);
  if (path === "/v1/account/transactions/params") {
    const address = url.searchParams.get("address") ?? "";
    const nonce = stub.nonces.get(address.toLowerCase()) ?? 0n;
    return Response.json({ address, nonce: String(nonce) });
  }
  return readStatus(stub, path.split("/").at(-1) ?? "");
}

const list = ({ transactions }: RelayerStub) =>
  transactions.map(({ id, from, nonce, metadata, state, hash }) => ({
    transactionID: id,
    transactionHash: hash,
    from,
    nonce: String(nonce),
    metadata,
    state,
  }));

function submit(stub: RelayerStub, body: Batch): Response {
  const { from, signature, metadata, depositWalletParams: params } = body;
  const nonce = BigInt(body.nonce);
  const calls = params.calls.map(({ target, value, data }) => ({
    target,
    value: BigInt(value),
    data,
  }));
  const batch = { wallet: params.depositWallet, nonce, deadline: BigInt(params.deadline), calls };
  if (recoverBatchSigner(batch, 137, signature)?.address !== from) {
    return refuse(400, "invalid transaction request payload");
  }
  const onChain = stub.nonces.get(from.toLowerCase()) ?? 0n;
  if (nonce !== onChain) {
    return refuse(400, `batch nonce ${nonce} does not match on-chain nonce ${onChain}`);
  }
  const isBusy = stub.transactions.some(
    (other) => other.from === from && !/CONFIRMED|FAILED|INVALID/.test(other.state),
  );
  if (isBusy) return refuse(400, "wallet busy: this wallet has an active action");
  const decoded = calls.map(decodePositionCall);
  const blocked = decoded.indexOf(null);
  if (blocked >= 0) {
    const target = calls[blocked]?.target;
    return refuse(
      400,
      `call blocked: call[${blocked}] blocked: calls to ${target} are not permitted`,
    );
  }
  const transaction: StubTransaction = {
    id: crypto.randomUUID(),
    from,
    wallet: params.depositWallet,
    nonce,
    metadata,
    state: "STATE_NEW",
    hash: `0x${crypto.randomUUID().replaceAll("-", "").padEnd(64, "0")}`,
    calls: decoded as PositionCall[],
    polls: 0,
  };
  stub.transactions.push(transaction);
  return Response.json({ transactionID: transaction.id, state: transaction.state });
}

/** A status request moves the transaction on; the last one executes it. */
function readStatus(stub: RelayerStub, id: string): Response {
  const found = stub.transactions.find((transaction) => transaction.id === id);
  if (!found) return refuse(404, "transaction not found");
  found.polls += 1;
  if (found.state === "STATE_NEW" && found.polls >= stub.confirmAfter) execute(stub, found);
  const { hash, state } = found;
  const error = state === "STATE_FAILED" ? "execution reverted" : "";
  return Response.json({
    transaction_id: id,
    transaction_hash: hash,
    state,
    error_msg: error,
  });
}

/** Executes every transaction that was accepted, as the chain does whether or not anybody asks. */
export function executeAll(stub: RelayerStub): void {
  for (const transaction of stub.transactions) {
    if (transaction.state === "STATE_NEW") execute(stub, transaction);
  }
}

function execute(stub: RelayerStub, transaction: StubTransaction): void {
  if (stub.failing) {
    transaction.state = "STATE_FAILED";
    return;
  }
  for (const call of transaction.calls) apply(stub, transaction.wallet, call);
  stub.nonces.set(transaction.from.toLowerCase(), transaction.nonce + 1n);
  transaction.state = "STATE_CONFIRMED";
  stub.executed.push(transaction);
}

function apply({ balances, approvals, tokens }: RelayerStub, wallet: string, call: PositionCall) {
  const change = (asset: string, by: bigint) => {
    const key = balanceKey(wallet, asset);
    balances.set(key, (balances.get(key) ?? 0n) + by);
  };
  switch (call.kind) {
    case "approve":
      approvals.set(approvalKey(wallet, CONTRACT.collateral, call.spender), call.amount);
      return;
    case "setOperator":
      approvals.set(approvalKey(wallet, call.token, call.operator), call.isApproved ? 1n : 0n);
      return;
    case "split":
    case "merge": {
      const by = call.kind === "split" ? call.amount : -call.amount;
      for (const token of tokens[call.conditionId] ?? []) change(token, by);
      change(CONTRACT.collateral, -by);
      return;
    }
    default:
      // The payout is not simulated: tests read what is left of the shares.
      for (const token of tokens[call.conditionId] ?? [])
        balances.set(balanceKey(wallet, token), 0n);
  }
}

function answerRpc(stub: RelayerStub, body: string): Response {
  const calls = JSON.parse(body) as { id: number; params: [{ to: string; data: string }] }[];
  return Response.json(
    calls.map(({ id, params: [{ to, data }] }) => {
      const result = `0x${readContract(stub, to, data).toString(16).padStart(64, "0")}`;
      return { jsonrpc: "2.0", id, result };
    }),
  );
}

function readContract({ balances, approvals }: RelayerStub, to: string, data: string): bigint {
  const parsed = ABI.parseTransaction({ data });
  // A balance has no second argument if the contract has one token.
  const [wallet = "", other = to] = (parsed?.args.toArray() ?? []).map(String);
  if (parsed?.name === "balanceOf") return balances.get(balanceKey(wallet, other)) ?? 0n;
  return approvals.get(approvalKey(wallet, to, other)) ?? 0n;
}
