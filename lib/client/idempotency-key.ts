const BYTES = 16;

/**
 * A fresh key for one order of the dashboard: `ui-` and a random UUID (version 4). Made from random
 * bytes because `crypto.randomUUID` does not exist on pages without TLS.
 */
export function newIdempotencyKey(): string {
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

/** Whether a key is one that the service takes: 1 to 128 characters. */
export function isIdempotencyKey(key: string): boolean {
  return key !== "" && [...key].length <= 128;
}
