"use client";

import { usePathname } from "next/navigation";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useShortcutActions } from "@/components/shell/use-shortcut-actions";
import { getLayer, subscribeToLayer } from "@/lib/browser/commands";
import { closeMenus, isDialogOpen, isTypingIn } from "@/lib/browser/page-keys";
import { createShortcutListener } from "@/lib/browser/shortcuts";
import type { Mode } from "@/lib/venue/port";

// Loaded on first use, so that pages don't include them.
const CommandMenu = lazy(async () => {
  const { CommandMenu: component } = await import("@/components/shell/command-menu");
  return { default: component };
});
const ShortcutList = lazy(async () => {
  const { ShortcutList: component } = await import("@/components/shell/shortcut-list");
  return { default: component };
});

interface Props {
  hasSingleKeys: boolean;
  mode: Mode;
}

/** The dashboard's shortcuts: one key listener and the dialogs that it opens. */
export function Shortcuts({ hasSingleKeys, mode }: Props) {
  useShortcutKeys(hasSingleKeys);
  useClosingMenus();
  const layer = useSyncExternalStore(subscribeToLayer, getLayer, () => null);
  const [isLoaded, setIsLoaded] = useState(false);
  if (layer !== null && !isLoaded) setIsLoaded(true);
  if (!isLoaded) return null;
  return (
    <Suspense fallback={null}>
      <CommandMenu isOpen={layer === "commands"} mode={mode} />
      <ShortcutList isOpen={layer === "shortcuts"} hasSingleKeys={hasSingleKeys} />
    </Suspense>
  );
}

function useShortcutKeys(hasSingleKeys: boolean): void {
  const perform = useShortcutActions();
  useEffect(() => {
    const listen = createShortcutListener({ hasSingleKeys, perform });
    const onKeyDown = (event: KeyboardEvent) =>
      listen(event, { isTyping: isTypingIn(event.target), isInDialog: isDialogOpen() });
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [perform, hasSingleKeys]);
}

/**
 * Closes open menus on outside clicks, on clicks of their links and on another page. Without JavaScript,
 * they stay open.
 */
function useClosingMenus(): void {
  const pathname = usePathname();
  useEffect(() => {
    closeMenus();
  }, [pathname]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      closeMenus(target instanceof Node ? target : null);
    };
    // Immediately, and also if the link leads to the page that is already shown.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("[data-menu] a[href]")) closeMenus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("click", onClick);
    };
  }, []);
}
