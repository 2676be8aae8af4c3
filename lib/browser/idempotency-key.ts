const BYTES = 16;

/**
 * Creates the key of a dashboard order: `ui-` and a random UUID (version 4). It is built from random
 * bytes because `crypto.randomUUID` doesn't exist on pages without TLS.
 */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const hex = [...bytes]
    .map((byte, index) => {
      if (index === 6) return (byte & 0x0f) | 0x40;
      return index === 8 ? (byte & 0x3f) | 0x80 : byte;
    })
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return `ui-${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
}

/** Returns whether the service accepts a key: 1 to 128 characters. */
export function isIdempotencyKey(key: string): boolean {
  return key !== "" && [...key].length <= 128;
}
