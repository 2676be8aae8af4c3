import Link from "next/link";
import {
  buildSettingsHref,
  listSections,
  type SettingsSection,
} from "@/components/shell/settings-sections";

interface Props {
  isShared: boolean;
  current: SettingsSection;
}

/** Links to the sections of the settings, beside the open one; above it on a phone. */
export function SectionNav({ isShared, current }: Props) {
  return (
    <nav aria-label="Settings" className="min-w-0">
      <ul className="scroll-cue -mx-1 flex scroll-px-1 gap-1 overflow-x-auto p-1 lg:flex-col">
        {listSections(isShared).map(({ id, label }) => (
          <li key={id}>
            <Link
              href={buildSettingsHref(id)}
              prefetch={false}
              scroll={false}
              aria-current={id === current ? "page" : undefined}
              className="flex h-11 items-center rounded-control px-3 font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text aria-[current]:[scroll-initial-target:nearest] lg:h-9"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
