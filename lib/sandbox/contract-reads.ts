import "server-only";
import { Interface, type TransactionDescription } from "ethers";
import { getDb } from "@/lib/db/client";
import { selectAccount } from "@/lib/db/queries/users";
import { toBookPrice } from "@/lib/domain/settlement";
import { readCash, readShares } from "@/lib/ledger/read-balances";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import { toUserId } from "@/lib/sandbox/accounts";
import { readApprovals } from "@/lib/sandbox/wallet-approvals";
import { settleWallet } from "@/lib/sandbox/settle-wallet";
import { notional, ONE, price, shares } from "@/lib/units";
import { paperExchange } from "@/lib/venues";

const ABI = new Interface([
  "function allowance(address owner, address spender) view returns (uint256)",
  "function isApprovedForAll(address account, address operator) view returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function balanceOf(address account, uint256 id) view returns (uint256)",
  "function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])",
  "function getPayout(uint256 positionId, uint256 amount) view returns (uint256)",
]);
/** Price of a share of either outcome when neither won. */
const HALF = price(ONE / 2n);
/** No holding is larger. */
const MAX_AMOUNT = 2n ** 62n;

/** The contracts that hold positions. The neg-risk adapter reports those of the first protocol too. */
const POSITION_CONTRACTS: readonly string[] = [
  CONTRACT.conditionalTokens,
  CONTRACT.negRiskAdapter,
  CONTRACT.positionManager,
].map((address) => address.toLowerCase());

/** Answers `eth_call` from the ledger. Null for a call that the sandbox does not know. */
export async function answerContractCall(call: {
  to: string;
  data: string;
}): Promise<string | null> {
  const parsed = parse(call.data);
  if (!parsed) return null;
  const value = await readValue(call.to.toLowerCase(), parsed);
  return value === null ? null : ABI.encodeFunctionResult(parsed.fragment, [value]);
}

function parse(data: string): TransactionDescription | null {
  try {
    const parsed = ABI.parseTransaction({ data });
    // Reading an argument throws if it is malformed.
    return parsed && { ...parsed, args: parsed.args.toArray(true) as never };
  } catch {
    return null;
  }
}

async function readValue(
  to: string,
  { signature, args }: TransactionDescription,
): Promise<unknown> {
  const isCollateral = to === CONTRACT.collateral.toLowerCase();
  if (!isCollateral && !POSITION_CONTRACTS.includes(to)) return null;
  switch (signature) {
    case "allowance(address,address)":
      return isCollateral ? (await readFresh(args[0])).getAllowance(args[1]) : null;
    case "balanceOf(address)":
      return isCollateral ? readCollateral(args[0]) : null;
    case "isApprovedForAll(address,address)":
      return isCollateral ? null : (await readFresh(args[0])).isOperator(to, args[1]);
    case "balanceOf(address,uint256)":
      return isCollateral ? null : readPosition(args[0], args[1]);
    case "balanceOfBatch(address[],uint256[])":
      return isCollateral ? null : readPositions(args[0], args[1]);
    case "getPayout(uint256,uint256)":
      return to === CONTRACT.positionManager.toLowerCase() ? readPayout(args[0], args[1]) : null;
    default:
      return null;
  }
}

async function readFresh(wallet: string) {
  await settleWallet(wallet);
  return readApprovals(wallet);
}

async function readCollateral(wallet: string): Promise<bigint> {
  await settleWallet(wallet);
  const db = await getDb();
  const account = await selectAccount(db, toUserId(wallet));
  return account ? (await readCash(db, account)).owned : 0n;
}

async function readPosition(wallet: string, id: bigint): Promise<bigint> {
  await settleWallet(wallet);
  const db = await getDb();
  const account = await selectAccount(db, toUserId(wallet));
  if (!account) return 0n;
  const { available, held } = await readShares(db, account, id.toString());
  return available + held;
}

async function readPositions(
  wallets: readonly string[],
  ids: readonly bigint[],
): Promise<bigint[] | null> {
  if (wallets.length !== ids.length) return null;
  return Promise.all(wallets.map((wallet, index) => readPosition(wallet, ids[index] ?? 0n)));
}

/** What an amount of a position pays; null, so that the call is reverted, until its market is resolved. */
async function readPayout(id: bigint, amount: bigint): Promise<bigint | null> {
  const exchange = paperExchange();
  const found = await exchange.findMarketByToken(id.toString());
  if (!found || amount > MAX_AMOUNT) return null;
  const { status, winner } = exchange.getState(found.market);
  if (status !== "resolved") return null;
  const first = winner === null ? HALF : price(winner === 0 ? ONE : 0n);
  return notional(shares(amount), toBookPrice(found.outcome, first), "down");
}
