import "server-only";

/** Holds key-encryption keys. It wraps the data keys of secrets, never the secrets. */
export interface KeyProvider {
  /** Part of every sealed text. */
  readonly id: "environment" | "aws-kms";
  /** Ids of the usable keys. The first one wraps new secrets. */
  keyIds(): readonly string[];
  wrap(dataKey: Uint8Array, binding: Binding): Promise<Buffer>;
  /** Throws if a byte, the key or the context differs. */
  unwrap(wrapped: Uint8Array, binding: Binding): Promise<Buffer>;
}

/** Binds a data key to the row of its secret and to the key that wraps it. */
export interface Binding {
  keyId: string;
  context: string;
}
