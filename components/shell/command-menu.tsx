"use client";

import { useCommands } from "@/components/shell/use-commands";
import { CommandList } from "@/components/shell/command-list";
import { Dialog } from "@/components/ui/dialog";
import { closeLayer } from "@/lib/client/commands";
import { useState } from "react";

interface Props {
  isOpen: boolean;
  signOut: () => Promise<void>;
}

/** Pages, actions and markets, by typing a part of their names. */
export function CommandMenu({ isOpen, signOut }: Props) {
  return (
    <Dialog title="Command menu" isOpen={isOpen} onClose={closeLayer} isSheet>
      <Commands signOut={signOut} />
    </Dialog>
  );
}

/** Apart, so that each opening starts empty. */
function Commands({ signOut }: Pick<Props, "signOut">) {
  const [text, setText] = useState("");
  const { commands, search } = useCommands(text, signOut);
  return <CommandList text={text} onText={setText} commands={commands} search={search} />;
}
