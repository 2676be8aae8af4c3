import type { SessionKey } from "@/lib/domain/session-key";
import type { OrderStruct, SignatureType } from "@/lib/polymarket/protocol/order-hash";
import type { ExchangeName } from "@/lib/domain/protocol";

/** The account whose orders a remote venue signs and sends. */
export interface Trader {
  userId: string;
  /** The address of the key that signs: the owner's, or that of a session key. */
  address: string;
  /** The wallet that holds the money. */
  funderAddress: string;
  signatureType: SignatureType;
  /** What the key may do, if it is a session key; null if it is the owner's. */
  sessionKey: SessionKey | null;
  /** Null until they are derived from a signature of the key. */
  credentials: ClobCredentials | null;
  /** Signs one order for an exchange. Custody checks both again and refuses to sign anything else. */
  signOrder(order: OrderStruct, exchange: ExchangeName): Promise<string>;
}

/** A signature that proves control of an address. */
export interface OwnershipProof {
  address: string;
  /** Unix seconds as decimal text. */
  timestamp: string;
  nonce: string;
  signature: string;
}

/** API credentials of an address at the venue. */
export interface ClobCredentials {
  key: string;
  secret: string;
  passphrase: string;
}

/** A trader's event stream from the venue. It reconnects when the connection is lost. */
export interface UserStream {
  /** Reconnects now, without waiting for the back-off. */
  retryNow(): void;
  close(): void;
}

/** An order was placed or canceled, named by its id at the venue. Any other event is "other". */
export type UserStreamEvent = { placed: string } | { canceled: string } | "other";
