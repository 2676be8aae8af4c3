import { describe, expect, it } from "vitest";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";

/** Owner and deposit wallet of the beacon kind: polymarket.md 3.5. */
const TABLE = [
  ["0x0000000000000000000000000000000000000001", "0x94bF330955A0b957662fEaF878dE77bf25f76cD9"],
  ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0xBc0fF067b7740Eff76C1ca93c875Ba6B890d6B50"],
] as const;

describe("deriveDepositWallet", () => {
  it.each(TABLE)("the deposit wallet of %s is %s", (owner, wallet) => {
    expect(deriveDepositWallet(owner)).toBe(wallet);
  });

  it.each(TABLE)("the letter case of %s does not matter", (owner, wallet) => {
    expect(deriveDepositWallet(owner.toLowerCase())).toBe(wallet);
  });

  it("differs from owner to owner", () => {
    const owners = Array.from({ length: 50 }, (_, index) => {
      const digits = (index + 1).toString(16);
      return `0x${digits.padStart(40, "0")}`;
    });
    expect(new Set(owners.map(deriveDepositWallet)).size).toBe(50);
  });

  it.each(["", "0x", "0x123", "not an address", `0x${"f".repeat(41)}`])(
    "%j is rejected as an owner",
    (owner) => {
      expect(() => deriveDepositWallet(owner)).toThrow();
    },
  );

  it("an owner with a wrong checksum is rejected", () => {
    expect(() => deriveDepositWallet("0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266")).toThrow();
  });
});
