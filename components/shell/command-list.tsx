"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import type { Command } from "@/components/shell/use-commands";
import { closeLayer } from "@/lib/client/commands";
import type { SearchState } from "@/lib/client/use-market-search";

const LIST_ID = "command-list";
const optionId = (command: Command) => `option-${command.id}`;

interface Props {
  text: string;
  onText: (text: string) => void;
  commands: readonly Command[];
  search: SearchState;
}

/** A combobox over its list: the focus stays in the field, the arrows move through the list. */
export function CommandList({ text, onText, commands, search }: Props) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const found = commands.findIndex(({ id }) => id === activeId);
  const index = Math.max(0, found);
  const active = commands[index];
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      setActiveId(commands.at((index + step) % commands.length)?.id ?? null);
    }
    if (event.key === "Enter" && active) {
      event.preventDefault();
      choose(active);
    }
  };
  return (
    <>
      <label htmlFor="command-text" className="sr-only">
        Page, action or market
      </label>
      <input
        ref={focusOnOpening}
        id="command-text"
        className="control"
        type="text"
        role="combobox"
        aria-expanded={commands.length > 0}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(active)}
        placeholder="Page, action or market"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setActiveId(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={LIST_ID}
        role="listbox"
        aria-label="Commands"
        className="-mx-2 mt-2 h-[min(50dvh,360px)] overflow-y-auto"
      >
        {GROUPS.map((group) => (
          <Group
            key={group}
            group={group}
            commands={commands.filter((command) => command.group === group)}
            activeId={active?.id ?? null}
          />
        ))}
      </div>
      <p role="status" className="mt-2 min-h-5 text-small text-text-2">
        {search === "searching" && "Searching markets…"}
        {search === "failed" && "Markets can't be searched right now. It is tried again by itself."}
        {search === "settled" && commands.length === 0 && `Nothing matches ‘${text}’.`}
      </p>
    </>
  );
}

const GROUPS = ["Pages", "Actions", "Markets"] as const;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A dialog gives the focus to what carries this attribute; React would not write it. */
function focusOnOpening(input: HTMLInputElement | null): void {
  input?.setAttribute("autofocus", "");
}

/** First the menu goes, so that what the command opens gets the focus. */
function choose(command: Command): void {
  closeLayer();
  command.run();
}

interface GroupProps {
  group: Command["group"];
  commands: readonly Command[];
  activeId: string | null;
}

function Group({ group, commands, activeId }: GroupProps) {
  if (commands.length === 0) return null;
  return (
    <div role="group" aria-labelledby={`commands-${group}`}>
      <p id={`commands-${group}`} className="px-3 pt-2 pb-1 text-caption text-text-3">
        {group}
      </p>
      {commands.map((command) => (
        <div
          key={command.id}
          id={optionId(command)}
          role="option"
          aria-selected={command.id === activeId}
          onClick={() => choose(command)}
          className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-control px-3 py-1.5 hover:bg-surface-2 aria-selected:bg-surface-3 lg:min-h-9"
        >
          <span className="min-w-0">{command.label}</span>
          {command.keys !== undefined && (
            <kbd className="font-sans text-caption whitespace-nowrap text-text-2 max-lg:hidden">
              {command.keys}
            </kbd>
          )}
        </div>
      ))}
    </div>
  );
}
