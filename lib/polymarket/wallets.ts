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

/** Constants of Polymarket's wallet factories (polymarket.md 3.5). */
const PROXY_FACTORY = "0xaB45c5A4B0c941a2F231C04C3f49182e1A254052";
const PROXY_INIT_HASH = "0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b";
const SAFE_FACTORY = "0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b";
const SAFE_INIT_HASH = "0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf";
const DEPOSIT_FACTORY = "0x00000000000Fb5C9ADea0298D729A0CB3823Cc07";

interface DepositKind {
  /** The first ten bytes, into which the length of the arguments is added. */
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
/** Wallets of the first weeks. */
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

/** Owners whose wallets are kept: each costs a millisecond, and an owner sends many orders. */
const MAX_OWNERS = 1_000;

interface Wallets {
  proxy: string;
  safe: string;
  /** The present kind first. */
  deposit: readonly [string, string];
}

const wallets = new Map<string, Wallets>();

/** The wallet of an account made with an email address. */
export const proxyWalletOf = (owner: string): string => walletsBehind(owner).proxy;

/** The Safe of an account made with a browser wallet. */
export const safeWalletOf = (owner: string): string => walletsBehind(owner).safe;

/** The address of the deposit wallet that an owner gets: the funder of its orders. */
export const depositWalletOf = (owner: string): string => walletsBehind(owner).deposit[0];

/** Every deposit wallet that an owner may have, the present kind first. */
export const depositWalletsOf = (owner: string): string[] => [...walletsBehind(owner).deposit];

/** They follow from the owner's address, and so never change. */
function walletsBehind(owner: string): Wallets {
  const known = wallets.get(owner);
  if (known) return known;
  const salt = keccak256(zeroPadValue(getAddress(owner), 32));
  const made: Wallets = {
    proxy: getCreate2Address(PROXY_FACTORY, keccak256(getAddress(owner)), PROXY_INIT_HASH),
    safe: getCreate2Address(SAFE_FACTORY, salt, SAFE_INIT_HASH),
    deposit: [depositWallet(owner, BEACON), depositWallet(owner, UUPS)],
  };
  const [oldest] = wallets.keys();
  if (wallets.size >= MAX_OWNERS && oldest !== undefined) wallets.delete(oldest);
  wallets.set(owner, made);
  return made;
}

function depositWallet(owner: string, kind: DepositKind): string {
  const ownerWord = zeroPadValue(getAddress(owner), 32);
  const types = ["address", "bytes32"];
  const args = AbiCoder.defaultAbiCoder().encode(types, [DEPOSIT_FACTORY, ownerWord]);
  const length = BigInt((args.length - 2) / 2);
  const head = toBeHex(kind.head + (length << LENGTH_SHIFT), HEAD_BYTES);
  const initCode = concat([head, kind.target, ...kind.tail, args]);
  return getCreate2Address(DEPOSIT_FACTORY, keccak256(args), keccak256(initCode));
}
