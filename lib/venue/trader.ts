import type { OrderStruct, SignatureType } from "@/lib/polymarket/order-hash";

/** Whose orders a remote venue signs and sends. */
export interface Trader {
  userId: string;
  /** The owner whose key signs. */
  address: string;
  /** Whose money it is. */
  funderAddress: string;
  signatureType: SignatureType;
  /** Null until they were derived from the owner's signature. */
  credentials: ClobCredentials | null;
  /** Signs one order. The key's custodian checks it again and refuses everything else. */
  signOrder(order: OrderStruct, isNegRisk: boolean): Promise<string>;
}

/** What an owner signed to show that the wallet is its own. */
export interface OwnershipProof {
  address: string;
  /** Unix seconds as decimal text. */
  timestamp: string;
  nonce: string;
  signature: string;
}

/** What a venue's API knows an owner by. */
export interface ClobCredentials {
  key: string;
  secret: string;
  passphrase: string;
}

/** What a venue tells a trader: that an order was canceled, by its id there, or anything else. */
export type StreamNews = { canceled: string } | "something";
