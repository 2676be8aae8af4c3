import type { DisplaySettings } from "@/lib/schemas/settings";

/** `--surface` of app/palette.css, which the top bar has. Browsers want it as sRGB. */
const SURFACE = { light: "#ffffff", dark: "#13151a" } as const;

/** Returns the color of the browser's own bars in each scheme of the system. */
export function listThemeColors(theme: DisplaySettings["theme"]) {
  return (["light", "dark"] as const).map((scheme) => ({
    media: `(prefers-color-scheme: ${scheme})`,
    color: SURFACE[theme === "system" ? scheme : theme],
  }));
}
