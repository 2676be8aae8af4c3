// Counts what the service signs.
import { vi } from "vitest";

type Library = typeof import("tiny-secp256k1");

/**
 * For `vi.mock("tiny-secp256k1", …)`: counts the signatures of stored keys, which all are made by
 * `signRecoverable`. The mock's factory must import this, because mocks run before imports.
 */
export async function countedSignatures(importOriginal: <T>() => Promise<T>): Promise<Library> {
  const original = await importOriginal<Library>();
  return { ...original, signRecoverable: vi.fn(original.signRecoverable) };
}
