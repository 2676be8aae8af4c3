"use client";

import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk";
import { useId, useState } from "react";
import { flushSync } from "react-dom";
import { type Command, useCommands } from "@/components/shell/use-commands";
import { Dialog } from "@/components/ui/dialog";
import { closeLayer } from "@/lib/browser/commands";
import { focusPageHeading, isFocusLost } from "@/lib/browser/page-keys";
import type { Mode } from "@/lib/venue/port";

/** A menu that finds pages, actions and markets by a part of their names, and fills in tickets. */
export function CommandMenu({ isOpen, mode }: { isOpen: boolean; mode: Mode }) {
  return (
    <Dialog title="Command menu" isOpen={isOpen} onClose={() => closeLayer("commands")} isSheet>
      <Commands mode={mode} />
    </Dialog>
  );
}

/** A separate component, so that each opening starts with an empty field. */
function Commands({ mode }: { mode: Mode }) {
  const [text, setText] = useState("");
  const { commands, search, gap } = useCommands(text, mode);
  const hintId = useId();
  return (
    <>
      {/* The service searches markets, so cmdk doesn't filter. */}
      <CommandRoot label="Page, action or market" shouldFilter={false} loop vimBindings={false}>
        <CommandInput
          ref={focusOnOpening}
          className="control"
          placeholder="Page, action or market"
          aria-describedby={hintId}
          value={text}
          onValueChange={setText}
        />
        <CommandList label="Commands" className="-mx-2 mt-2 h-[min(50dvh,22.5rem)] overflow-y-auto">
          {GROUPS.map((group) => (
            <Group
              key={group}
              group={group}
              commands={commands.filter((command) => command.group === group)}
            />
          ))}
        </CommandList>
      </CommandRoot>
      <p role="status" className="mt-2 min-h-5 text-small text-text-2">
        {gap ?? (search === "searching" && "Searching markets…")}
        {gap === null &&
          search === "failed" &&
          "Market search isn’t available right now. Retrying automatically."}
        {gap === null &&
          search === "settled" &&
          commands.length === 0 &&
          `Nothing matches ‘${text}’.`}
      </p>
      <p id={hintId} className="text-small text-text-2">
        To fill in a ticket, type an order: <q>buy 50 gulls</q> or <q>sell 20 gulls at 40</q>.
      </p>
    </>
  );
}

const GROUPS = ["Orders", "Pages", "Actions", "Markets"] as const;

/** Sets the autofocus attribute, which dialogs respect and React doesn't render. */
function focusOnOpening(input: HTMLInputElement | null): void {
  input?.setAttribute("autofocus", "");
}

interface GroupProps {
  group: Command["group"];
  commands: readonly Command[];
}

function Group({ group, commands }: GroupProps) {
  if (commands.length === 0) return null;
  return (
    <CommandGroup
      heading={<p className="px-3 pt-2 pb-1 text-caption text-text-3">{group}</p>}
      value={group}
    >
      {commands.map((command) => (
        <CommandItem
          key={command.id}
          value={command.id}
          onSelect={() => choose(command)}
          className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-control px-3 py-1.5 aria-selected:bg-surface-3 lg:min-h-9"
        >
          <span className="min-w-0">{command.label}</span>
          {command.note !== undefined && (
            <span className="num shrink-0 text-small text-text-2">{command.note}</span>
          )}
          {command.keys !== undefined && (
            <kbd className="font-sans text-caption whitespace-nowrap text-text-2 max-lg:hidden">
              {command.keys}
            </kbd>
          )}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

/**
 * Closes the menu first: while it is open, the command's target can't get the focus. The page's heading gets it if
 * nothing has it then: a command that leads to the page that is shown navigates nowhere.
 */
function choose(command: Command): void {
  flushSync(() => closeLayer("commands"));
  command.run();
  if (isFocusLost()) focusPageHeading();
}
