import { describe, expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import {
  DESKTOP,
  EMPTY_PAGES,
  FACTOR_PAGES,
  OPEN_PAGES,
  PHONE,
  usePages,
  visitAs,
  WAITING_PAGES,
  walk,
} from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

describe("every other page is accessible, logs no error and does not scroll sideways", () => {
  it.each([
    ["dark, desktop", "dark", DESKTOP],
    ["light, phone", "light", PHONE],
  ] as const)("of an empty account, %s", async (_name, colorScheme, size) => {
    const visitor = await visitAs("newcomer", { ...size, colorScheme });
    expect(await walk(visitor, EMPTY_PAGES)).toEqual({});
  });

  it.each([
    ["light, desktop", "light", DESKTOP],
    ["dark, phone", "dark", PHONE],
  ] as const)("signed out, %s", async (_name, colorScheme, size) => {
    const visitor = await visitAs("guest", { ...size, colorScheme });
    expect(await walk(visitor, OPEN_PAGES)).toEqual({});
  });

  it.each([
    ["dark, desktop", "dark", DESKTOP],
    ["light, phone", "light", PHONE],
  ] as const)("that asks for a second factor, %s", async (_name, colorScheme, size) => {
    const guarded = await visitAs("guarded", { ...size, colorScheme });
    expect(await walk(guarded, FACTOR_PAGES)).toEqual({});
    const waiting = await visitAs("waiting", { ...size, colorScheme });
    expect(await walk(waiting, WAITING_PAGES)).toEqual({});
  });
});
