import "server-only";

/** A place that keeps key-encryption keys. It wraps the data keys of secrets, never the secrets. */
export interface KeyProvider {
  /** Named in every sealed text. */
  readonly id: "environment" | "aws-kms";
  /** The keys it may use; the first wraps new secrets. */
  keyIds(): readonly string[];
  wrap(dataKey: Uint8Array, binding: Binding): Promise<Buffer>;
  /** Throws when a byte, the key or the context is another. */
  unwrap(wrapped: Uint8Array, binding: Binding): Promise<Buffer>;
}

/** What a data key is bound to: the row of its secret, and the key that wraps it. */
export interface Binding {
  keyId: string;
  context: string;
}
