// The environment is read once; tests of custody change its keys, chain and venues.
import { afterEach } from "vitest";
import type { Env } from "@/lib/env";

/** What stands in the place of the environment's values until the test ends. */
export const changes: Partial<Env> = {};

/** For `vi.mock("@/lib/env", …)`, whose factory has to import it: mocks come before imports. */
export async function changedEnv(
  importOriginal: <T>() => Promise<T>,
): Promise<typeof import("@/lib/env")> {
  const original = await importOriginal<typeof import("@/lib/env")>();
  return { ...original, env: () => ({ ...original.env(), ...changes }) };
}

/** Puts the environment back after each test. */
export function restoreEnv(): void {
  afterEach(() => {
    for (const name of Object.keys(changes)) Reflect.deleteProperty(changes, name);
  });
}

/** Every text that differs from `text` in one bit and is still text of one byte per character. */
export function* flippedBits(text: string): Generator<string> {
  const bytes = Buffer.from(text, "latin1");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield changed.toString("latin1");
  }
}
