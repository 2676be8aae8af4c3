import "server-only";

/** What a wallet's sealed key is bound to: its user and its address. */
export const walletContext = (userId: string, address: string) => `wallet/${userId}/${address}`;
