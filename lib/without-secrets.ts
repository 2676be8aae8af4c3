import "server-only";

/**
 * The shapes of secrets: our API keys, sealed tokens such as the session cookie, and private keys.
 * Order hashes look like private keys.
 */
const SECRET_SHAPES =
  /ante_(?:paper|live)_[0-9A-Za-z]{9,}|\beyJ[\w-]{8,}\.[\w.-]+|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

/** Removes secrets from a text for the log. Clients can put secrets anywhere. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET_SHAPES, (found) => `${found.slice(0, 5)}…`);
}
