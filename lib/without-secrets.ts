import "server-only";

/**
 * What has the shape of a secret: our keys, sealed tokens such as the session cookie, and private
 * keys, of which an order's hash is no different.
 */
const SECRET_SHAPES =
  /ante_(?:paper|live)_[0-9A-Za-z]{9,}|\beyJ[\w-]{8,}\.[\w.-]+|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

/** A text that somebody else chose, for a log: careless programs put their secrets anywhere. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET_SHAPES, (found) => `${found.slice(0, 5)}…`);
}
