"use client";

import { usePathname } from "next/navigation";
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useShortcutActions } from "@/components/shell/use-shortcut-actions";
import { openLayer, subscribeToLayer } from "@/lib/client/commands";
import { closeMenus, isDialogOpen, isTypingIn } from "@/lib/client/page-keys";
import { matchShortcut } from "@/lib/client/shortcuts";

// Loaded when first asked for, so that no page pays for them.
const CommandMenu = lazy(async () => {
  const { CommandMenu: component } = await import("@/components/shell/command-menu");
  return { default: component };
});
const ShortcutList = lazy(async () => {
  const { ShortcutList: component } = await import("@/components/shell/shortcut-list");
  return { default: component };
});

const PREFIX_MS = 1500;

interface Props {
  hasSingleKeys: boolean;
  signOut: () => Promise<void>;
}

/** The dashboard's keyboard: one listener for the page, and the layers it opens. */
export function Shortcuts({ hasSingleKeys, signOut }: Props) {
  useShortcutKeys(hasSingleKeys);
  useClosingMenus();
  const layer = useSyncExternalStore(subscribeToLayer, openLayer, () => null);
  const [isLoaded, setIsLoaded] = useState(false);
  if (layer !== null && !isLoaded) setIsLoaded(true);
  if (!isLoaded) return null;
  return (
    <Suspense fallback={null}>
      <CommandMenu isOpen={layer === "commands"} signOut={signOut} />
      <ShortcutList isOpen={layer === "shortcuts"} hasSingleKeys={hasSingleKeys} />
    </Suspense>
  );
}

function useShortcutKeys(hasSingleKeys: boolean): void {
  const perform = useShortcutActions();
  const prefixedAtRef = useRef(-PREFIX_MS);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      // AltGr makes characters such as "[" on many keyboards; it is not a modifier then.
      const isCharacter = event.getModifierState("AltGraph");
      const action = matchShortcut(
        {
          key: event.key,
          hasCommand: (event.ctrlKey || event.metaKey) && !isCharacter,
          hasAlt: event.altKey && !isCharacter,
          hasShift: event.shiftKey,
          isTyping: isTypingIn(event.target),
          isInDialog: isDialogOpen(),
        },
        { isAfterPrefix: event.timeStamp - prefixedAtRef.current < PREFIX_MS, hasSingleKeys },
      );
      if (event.repeat && action?.kind !== "row") return;
      prefixedAtRef.current = action?.kind === "prefix" ? event.timeStamp : -PREFIX_MS;
      if (action && perform(action)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [perform, hasSingleKeys]);
}

/** Menus are disclosures that work without JavaScript; with it they close by themselves. */
function useClosingMenus(): void {
  const pathname = usePathname();
  useEffect(() => {
    closeMenus();
  }, [pathname]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      closeMenus(target instanceof Node ? target : null);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, []);
}
