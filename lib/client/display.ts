import { writeDisplaySetting } from "@/lib/client/cookies";
import { isHidingValues, toggleHideValues } from "@/lib/client/hide-values";
import type { DisplaySettings } from "@/lib/schemas/settings";

/** Shows this browser's settings on the page at once, as the server renders them on the next one. */
export function applyDisplay(settings: DisplaySettings): void {
  const { theme, direction, density, rail, hideValues } = settings;
  setAttribute("data-theme", theme === "system" ? null : theme);
  setAttribute("data-dir", direction === "default" ? null : direction);
  setAttribute("data-density", density);
  setAttribute("data-rail", rail);
  if (hideValues !== isHidingValues()) toggleHideValues();
}

/** Changes the theme of this page and of all later ones in this browser. */
export function chooseTheme(theme: DisplaySettings["theme"]): void {
  setAttribute("data-theme", theme === "system" ? null : theme);
  writeDisplaySetting("theme", theme);
}

/** Shows the navigation as icons only, or with its words again. */
export function toggleRail(): void {
  const rail = document.documentElement.getAttribute("data-rail") === "icons" ? "words" : "icons";
  setAttribute("data-rail", rail);
  writeDisplaySetting("rail", rail);
}

function setAttribute(name: string, value: string | null): void {
  const root = document.documentElement;
  if (value === null) root.removeAttribute(name);
  else root.setAttribute(name, value);
}
