import "server-only";
import { computeHmac, isSameSecret, type SignedRequest } from "@/lib/polymarket/protocol/clob-auth";

/** A builder's API key for the relayer. It may submit; each transaction needs its owner's signature. */
export interface BuilderCredentials {
  key: string;
  /** Base64. */
  secret: string;
  passphrase: string;
}

/** Makes the headers that authenticate a request to the relayer (polymarket-wallets.md 2.1). */
export function makeBuilderHeaders(
  { key, secret, passphrase }: BuilderCredentials,
  request: SignedRequest,
) {
  return {
    POLY_BUILDER_API_KEY: key,
    POLY_BUILDER_PASSPHRASE: passphrase,
    POLY_BUILDER_SIGNATURE: computeHmac(secret, request),
    POLY_BUILDER_TIMESTAMP: request.timestamp,
  } as const;
}

/** Whether the headers hold this builder's passphrase and its signature of exactly this request. */
export function isBuilderRequest(
  headers: Headers,
  credentials: BuilderCredentials,
  request: SignedRequest,
): boolean {
  const expected = makeBuilderHeaders(credentials, request);
  // Compares all of them, so that the time does not tell which one is wrong.
  const equal = Object.entries(expected).map(([name, value]) =>
    isSameSecret(headers.get(name) ?? "", value),
  );
  return equal.every(Boolean);
}
