import { writeDisplaySetting } from "@/lib/browser/cookies";
import { isHidingValues, toggleHideValues } from "@/lib/browser/hide-values";
import { listThemeColors } from "@/lib/browser/theme-color";
import type { DisplaySettings } from "@/lib/schemas/settings";

/** Applies this browser's display settings to the page without a reload. */
export function applyDisplay(settings: DisplaySettings): void {
  const { theme, direction, density, rail, hideValues } = settings;
  applyTheme(theme);
  setAttribute("data-dir", direction === "default" ? null : direction);
  setAttribute("data-density", density);
  setAttribute("data-rail", rail);
  if (hideValues !== isHidingValues()) toggleHideValues();
}

/** Changes the theme in this browser. */
export function chooseTheme(theme: DisplaySettings["theme"]): void {
  applyTheme(theme);
  writeDisplaySetting("theme", theme);
}

/** Collapses or expands the sidebar. */
export function toggleRail(): void {
  const rail = document.documentElement.getAttribute("data-rail") === "icons" ? "words" : "icons";
  setAttribute("data-rail", rail);
  writeDisplaySetting("rail", rail);
}

function applyTheme(theme: DisplaySettings["theme"]): void {
  setAttribute("data-theme", theme === "system" ? null : theme);
  for (const { media, color } of listThemeColors(theme)) {
    const meta = document.querySelector(`meta[name="theme-color"][media="${media}"]`);
    meta?.setAttribute("content", color);
  }
}

function setAttribute(name: string, value: string | null): void {
  const root = document.documentElement;
  if (value === null) root.removeAttribute(name);
  else root.setAttribute(name, value);
}
