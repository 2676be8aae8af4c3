import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listThemeColors } from "@/lib/browser/theme-color";

const colors = (theme: "system" | "light" | "dark") =>
  listThemeColors(theme).map(({ color }) => color);

it("the chosen theme has one color in both schemes of the system, and the system's theme two", () => {
  const [light, dark] = colors("system");
  expect(light).not.toBe(dark);
  expect(colors("light")).toEqual([light, light]);
  expect(colors("dark")).toEqual([dark, dark]);
});

it("the manifest has the light color, because it can't have two", () => {
  const manifest = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8")) as {
    theme_color: string;
  };
  expect(manifest.theme_color).toBe(colors("light")[0]);
});
