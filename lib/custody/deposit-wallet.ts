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

/** Constants of Polymarket's deposit-wallet factory (polymarket.md 3.5, beacon kind). */
const FACTORY = "0x00000000000Fb5C9ADea0298D729A0CB3823Cc07";
const BEACON = "0x7A18EDfe055488A3128f01F563e5B479D92ffc3a";
const HEAD = 0x6100523d8160233d3973n;
const HEAD_BYTES = 10;
const LENGTH_SHIFT = 56n;
const TAIL = [
  "0x60195155f3363d3d373d3d363d602036600436635c60da",
  "0x1b60e01b36527fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6c",
  "0xb3582b35133d50545afa5036515af43d6000803e604d573d6000fd5b3d6000f3",
];

/** The address of the deposit wallet that an owner gets: the funder of its orders. */
export function depositWalletOf(owner: string): string {
  const ownerWord = zeroPadValue(getAddress(owner), 32);
  const args = AbiCoder.defaultAbiCoder().encode(["address", "bytes32"], [FACTORY, ownerWord]);
  const length = BigInt((args.length - 2) / 2);
  const head = toBeHex(HEAD + (length << LENGTH_SHIFT), HEAD_BYTES);
  const initCode = concat([head, BEACON, ...TAIL, args]);
  return getCreate2Address(FACTORY, keccak256(args), keccak256(initCode));
}
