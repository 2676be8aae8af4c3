/** The shapes of secrets: API keys, the signing secrets of webhooks, and sealed tokens. */
const SECRET = /ante_(?:paper|live)_[0-9A-Za-z]{9,}|\bwhsec_[\w+/=-]{8,}|\beyJ[\w-]{8,}\.[\w.-]+/g;

/** Returns whether there is a secret in the arguments of a tool. No tool takes one. */
export function hasSecret(value: unknown): boolean {
  return JSON.stringify(value ?? null).search(SECRET) >= 0;
}

/** Removes secrets from a text. No tool shows one; this is the last check. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(SECRET, (found) => `${found.slice(0, 5)}…`);
}
