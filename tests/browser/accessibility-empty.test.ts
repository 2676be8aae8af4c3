import { describe, expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser";
import {
  DESKTOP,
  EMPTY_PAGES,
  OPEN_PAGES,
  PHONE,
  usePages,
  visitAs,
  walk,
} from "@/tests/support/pages";
import { cleanUpAfterwards } from "@/tests/support/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

describe("every page is accessible, complains of nothing and does not scroll sideways", () => {
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
    const visitor = await visitAs("nobody", { ...size, colorScheme });
    expect(await walk(visitor, OPEN_PAGES)).toEqual({});
  });
});
