import "server-only";
import {
  AbiCoder,
  concat,
  getAddress,
  getCreate2Address,
  keccak256,
  toBeHex,
  zeroPadValue,
} from "ethers";
import { LRUCache } from "lru-cache";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";

/** How Polymarket's factories make wallets (polymarket.md 3.5). */
const PROXY_INIT_HASH = "0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b";
const SAFE_INIT_HASH = "0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf";

interface DepositKind {
  /** The first ten bytes, to which the length of the arguments is added. */
  head: bigint;
  target: string;
  tail: readonly string[];
}

const BEACON: DepositKind = {
  head: 0x6100523d8160233d3973n,
  target: "0x7A18EDfe055488A3128f01F563e5B479D92ffc3a",
  tail: [
    "0x60195155f3363d3d373d3d363d602036600436635c60da",
    "0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c",
    "0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3",
  ],
};
/** The first kind of deposit wallets, which is no longer created. */
const UUPS: DepositKind = {
  head: 0x61003d3d8160233d3973n,
  target: "0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB",
  tail: [
    "0x6009",
    "0x5155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076",
    "0xcc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3",
  ],
};
const HEAD_BYTES = 10;
const LENGTH_SHIFT = 56n;

/** Cache size. Deriving takes a millisecond, and an owner sends many orders. */
const MAX_OWNERS = 1_000;

interface Wallets {
  proxy: string;
  safe: string;
  /** The current kind first. */
  deposit: readonly [string, string];
}

const wallets = new LRUCache<string, Wallets>({ max: MAX_OWNERS });

/** Derives the proxy wallet: the wallet of an account that was created with an email address. */
export const deriveProxyWallet = (owner: string): string => deriveWallets(owner).proxy;

/** Derives the Safe: the wallet of an account that was created with a browser wallet. */
export const deriveSafeWallet = (owner: string): string => deriveWallets(owner).safe;

/** Derives the current deposit wallet of an owner: the funder of its orders. */
export const deriveDepositWallet = (owner: string): string => deriveWallets(owner).deposit[0];

/** Derives all deposit wallets that an owner may have, the current kind first. */
export const deriveDepositWallets = (owner: string): string[] => [...deriveWallets(owner).deposit];

/** Derives all wallets from the owner's address and caches them. They never change. */
function deriveWallets(owner: string): Wallets {
  const known = wallets.get(owner);
  if (known) return known;
  const salt = keccak256(zeroPadValue(getAddress(owner), 32));
  const derived: Wallets = {
    proxy: getCreate2Address(CONTRACT.proxyFactory, keccak256(getAddress(owner)), PROXY_INIT_HASH),
    safe: getCreate2Address(CONTRACT.safeFactory, salt, SAFE_INIT_HASH),
    deposit: [computeDepositWallet(owner, BEACON), computeDepositWallet(owner, UUPS)],
  };
  wallets.set(owner, derived);
  return derived;
}

function computeDepositWallet(owner: string, kind: DepositKind): string {
  const ownerWord = zeroPadValue(getAddress(owner), 32);
  const types = ["address", "bytes32"];
  const args = AbiCoder.defaultAbiCoder().encode(types, [CONTRACT.depositWalletFactory, ownerWord]);
  const length = BigInt((args.length - 2) / 2);
  const head = toBeHex(kind.head + (length << LENGTH_SHIFT), HEAD_BYTES);
  const initCode = concat([head, kind.target, ...kind.tail, args]);
  return getCreate2Address(CONTRACT.depositWalletFactory, keccak256(args), keccak256(initCode));
}
