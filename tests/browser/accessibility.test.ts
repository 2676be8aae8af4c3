// The pages of an account with trades. accessibility-empty.test.ts has the other visitors, so that
// both run at the same time.
import { describe, expect, it } from "vitest";
import { closeBrowserAfterwards } from "@/tests/support/browser/browser";
import {
  DASHBOARD_PAGES,
  DESKTOP,
  PHONE,
  usePages,
  visitAs,
  walk,
} from "@/tests/support/browser/pages";
import { cleanUpAfterwards } from "@/tests/support/product/product";

cleanUpAfterwards();
closeBrowserAfterwards();
usePages();

describe("every page of an account with trades is accessible, logs no error and does not scroll sideways", () => {
  it.each([
    ["light, desktop", "light", DESKTOP],
    ["dark, phone", "dark", PHONE],
  ] as const)("%s", async (_name, colorScheme, size) => {
    const visitor = await visitAs("trader", { ...size, colorScheme });
    expect(await walk(visitor, DASHBOARD_PAGES)).toEqual({});
  });
});
