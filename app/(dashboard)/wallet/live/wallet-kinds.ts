/** The form's choice for a session key, which belongs to a deposit wallet. */
export const SESSION_KEY_CHOICE = "session";

/** Polymarket's wallet types, newest first, with the fields that each needs. */
export const WALLET_KINDS = [
  {
    signatureType: 3,
    name: "Deposit wallet",
    needs:
      "Accounts opened since May 2026. Enter the deposit address shown on Polymarket and the private key of the wallet that owns it. Sign in to Polymarket with this account once before you import it.",
  },
  {
    signatureType: 1,
    name: "Proxy wallet",
    needs:
      "Older accounts opened with an email address. Enter the wallet’s address and the private key you exported from Polymarket.",
  },
  {
    signatureType: 2,
    name: "Safe",
    needs:
      "Older accounts opened with a browser wallet. Enter the address shown on Polymarket and the private key of your browser wallet.",
  },
  {
    signatureType: 0,
    name: "Plain wallet",
    needs:
      "The key’s own address holds your money. Enter that address and its key. It must have approved Polymarket’s exchanges. Polymarket doesn’t accept new accounts of this type.",
  },
] as const;

/** Returns the name of a signature type. */
export function kindName(signatureType: number): string {
  const kind = WALLET_KINDS.find((candidate) => candidate.signatureType === signatureType);
  return kind?.name ?? "Wallet";
}
