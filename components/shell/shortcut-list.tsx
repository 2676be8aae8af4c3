"use client";

import { Dialog } from "@/components/ui/dialog";
import { closeLayer } from "@/lib/browser/commands";
import { SHORTCUT_GROUPS } from "@/lib/browser/shortcuts";

interface Props {
  isOpen: boolean;
  hasSingleKeys: boolean;
}

/** The list of all shortcuts. */
export function ShortcutList({ isOpen, hasSingleKeys }: Props) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      onClose={() => closeLayer("shortcuts")}
      isSheet
    >
      {!hasSingleKeys && (
        <p className="mb-3 text-text-2">
          Single-key shortcuts are off. Turn them on in{" "}
          <a className="link" href="/settings?section=display">
            Settings
          </a>
          .
        </p>
      )}
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1 font-[550]">{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className="flex items-baseline justify-between gap-3 py-1">
                  <dt className="text-text-2">{does}</dt>
                  <dd className="flex gap-1">
                    {Object.keys(keys).map((key) => (
                      <Keys key={key} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <kbd className="rounded-[4px] border border-border bg-surface-2 px-1.5 font-sans text-caption whitespace-nowrap">
      {keys}
    </kbd>
  );
}
