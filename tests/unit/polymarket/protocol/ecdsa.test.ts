import { randomBytes } from "node:crypto";
import { concat, dataSlice, getBytes, hexlify, toBeHex, Wallet } from "ethers";
import { expect, it } from "vitest";
import { openKey, recoverSigner } from "@/lib/polymarket/protocol/ecdsa";

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const DIGESTS = 200;

function createSigned() {
  const wallet = new Wallet(hexlify(randomBytes(32)));
  const digest = hexlify(randomBytes(32));
  return { wallet, digest, signature: wallet.signingKey.sign(digest).serialized };
}

it("a key has the address and signs the bytes of the official client's library", () => {
  for (let count = 0; count < DIGESTS; count += 1) {
    const { wallet, digest, signature } = createSigned();
    const key = openKey(getBytes(wallet.privateKey));
    expect(key.address).toBe(wallet.address);
    expect(key.signingKey.sign(digest).serialized).toBe(signature);
  }
});

it("a signature gives the address that signed it", () => {
  for (let count = 0; count < DIGESTS; count += 1) {
    const { wallet, digest, signature } = createSigned();
    expect(recoverSigner(digest, signature)).toBe(wallet.address);
  }
});

it("the twin of a signature with a high s is rejected", () => {
  const { digest, signature } = createSigned();
  const twin = toBeHex(CURVE_ORDER - BigInt(dataSlice(signature, 32, 64)), 32);
  const v = Number(dataSlice(signature, 64)) === 27 ? 28 : 27;
  expect(
    recoverSigner(digest, concat([dataSlice(signature, 0, 32), twin, Uint8Array.of(v)])),
  ).toBeNull();
});

it.each([0, 1, 26, 29])("a signature with v %i is rejected", (v) => {
  const { digest, signature } = createSigned();
  expect(recoverSigner(digest, concat([dataSlice(signature, 0, 64), Uint8Array.of(v)]))).toBeNull();
});

it.each([
  ["an r of zero", 0, 0n],
  ["an s of zero", 32, 0n],
  ["an r beyond the curve's order", 0, CURVE_ORDER],
])("a signature with %s is rejected", (_, place, value) => {
  const { digest, signature } = createSigned();
  const bytes = getBytes(signature);
  bytes.set(getBytes(toBeHex(value, 32)), place);
  expect(() => recoverSigner(digest, hexlify(bytes))).toThrow("Expected Signature");
});

it("a key of zero is rejected", () => {
  expect(() => openKey(new Uint8Array(32))).toThrow("Expected Private");
});
