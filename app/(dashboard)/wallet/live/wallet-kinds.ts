/** Polymarket's kinds of wallets, newest first: what each is, and what has to be given for it. */
export const WALLET_KINDS = [
  {
    signatureType: 3,
    name: "Deposit wallet",
    needs:
      "Accounts opened since May 2026. Give the deposit address that Polymarket shows, and the private key of the wallet that owns it. Polymarket has to know the account: open it there once.",
  },
  {
    signatureType: 1,
    name: "Proxy wallet",
    needs:
      "Older accounts opened with an email address. Give the wallet’s address, and the private key that Polymarket exports for the account.",
  },
  {
    signatureType: 2,
    name: "Safe",
    needs:
      "Older accounts opened with a browser wallet. Give the address that Polymarket shows, and the private key of the browser wallet.",
  },
  {
    signatureType: 0,
    name: "Plain wallet",
    needs:
      "The key’s own address holds the money. Give that address and its key. It must have approved Polymarket’s exchanges; new accounts of this kind are refused there.",
  },
] as const;

/** What a signature type is called. */
export function kindName(signatureType: number): string {
  const kind = WALLET_KINDS.find((candidate) => candidate.signatureType === signatureType);
  return kind?.name ?? "Wallet";
}
