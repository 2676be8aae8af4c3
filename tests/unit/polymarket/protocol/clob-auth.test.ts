import { Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import {
  CLOB_AUTH_TYPES,
  computeClobAuthDigest,
  clobAuthDomain,
  clobAuthValue,
  computeHmac,
  isClobAuthGenuine,
} from "@/lib/polymarket/protocol/clob-auth";

const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** polymarket.md 12. */
const CLAIMS = [
  {
    chainId: 80002,
    claim: { address: ADDRESS, timestamp: "10000000", nonce: "23" },
    signature:
      "0xf62319a987514da40e57e2f4d7529f7bac38f0355bd88bb5adbb3768d80de6c1682518e0af677d5260366425f4361e7b70c25ae232aff0ab2331e2b164a1aedc1b",
  },
  {
    chainId: 137,
    claim: { address: ADDRESS, timestamp: "1748779200", nonce: "0" },
    signature:
      "0x1ad3887f3554be41d632bb2b2ebd8cac2481911391d8a593014c2e7855c496f2657b5b61c78be19162598436dde9210b8438580a6a3fff94e278360e67030b681c",
  },
] as const;

describe.each(CLAIMS)("a claim on chain $chainId", ({ chainId, claim, signature }) => {
  it("has the official client's signature, which is accepted", async () => {
    const wallet = new Wallet(KEY);
    expect(
      await wallet.signTypedData(clobAuthDomain(chainId), CLOB_AUTH_TYPES, clobAuthValue(claim)),
    ).toBe(signature);
    expect(isClobAuthGenuine(claim, chainId, signature)).toBe(true);
    expect(
      isClobAuthGenuine({ ...claim, address: claim.address.toLowerCase() }, chainId, signature),
    ).toBe(true);
  });

  it("is rejected after any change", () => {
    const other = chainId === 137 ? 80002 : 137;
    expect(isClobAuthGenuine(claim, other, signature)).toBe(false);
    expect(isClobAuthGenuine({ ...claim, timestamp: "10000001" }, chainId, signature)).toBe(false);
    expect(isClobAuthGenuine({ ...claim, nonce: "1" }, chainId, signature)).toBe(false);
    const stranger = { ...claim, address: `0x${"1".repeat(40)}` };
    expect(isClobAuthGenuine(stranger, chainId, signature)).toBe(false);
    expect(isClobAuthGenuine(claim, chainId, `${signature.slice(0, -2)}00`)).toBe(false);
    expect(isClobAuthGenuine(claim, chainId, "nonsense")).toBe(false);
  });
});

it("the digest of a claim on Polygon equals the documented one", () => {
  expect(computeClobAuthDigest(CLAIMS[1].claim, 137)).toBe(
    "0xdeea0ddd46b0bee88472966612d033b27297c77ad06d39adedab1d19d795fae5",
  );
});

describe("computeHmac", () => {
  const secret = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  const CASES = [
    [
      "1000000",
      "test-sign",
      "/orders",
      '{"hash": "0x123"}',
      "ZwAdJKvoYRlEKDkNMwd5BuwNNtg93kNaR_oU2HrfVvc=",
    ],
    ["1748779200", "GET", "/data/orders", "", "6xGOccfACUw45hIapfbZhrjzB9fpmNhT_lP3HnitahY="],
    [
      "1748779200",
      "DELETE",
      "/order",
      '{"orderID":"0xabc"}',
      "xLhPPaVthVUSRYd-YGPVfUt01kDJTHTSqDfmWCoL7oA=",
    ],
  ] as const;

  it.each(CASES)("at %s, %s %s %s", (timestamp, method, path, body, expected) => {
    expect(computeHmac(secret, { timestamp, method, path, body })).toBe(expected);
  });

  it("accepts secrets in the URL-safe and in the standard alphabet", () => {
    const request = { timestamp: "1", method: "GET", path: "/", body: "" };
    expect(computeHmac("-_-_-_-_", request)).toBe(computeHmac("+/+/+/+/", request));
  });
});
