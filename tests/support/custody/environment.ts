// Changes of the environment for custody tests. The service reads the environment once.
import { afterEach } from "vitest";
import type { Env } from "@/lib/env";

/** Values that replace those of the environment until the test ends. */
export const changes: Partial<Env> = {};

/** For `vi.mock("@/lib/env", …)`. Its factory must import this, because mocks run before imports. */
export async function changedEnv(
  importOriginal: <T>() => Promise<T>,
): Promise<typeof import("@/lib/env")> {
  const original = await importOriginal<typeof import("@/lib/env")>();
  return { ...original, env: () => ({ ...original.env(), ...changes }) };
}

/** Restores the environment after each test. */
export function restoreEnv(): void {
  afterEach(() => {
    for (const name of Object.keys(changes)) Reflect.deleteProperty(changes, name);
  });
}

/** Generates every text with one bit flipped that still has one byte per character. */
export function* flippedBits(text: string): Generator<string> {
  const bytes = Buffer.from(text, "latin1");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield changed.toString("latin1");
  }
}
