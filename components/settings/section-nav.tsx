const SECTIONS = [
  { id: "trading", label: "Trading" },
  { id: "display", label: "Display" },
  { id: "region", label: "Region" },
] as const;
const OWN_SECTIONS = [
  { id: "account", label: "Password" },
  { id: "sessions", label: "Browsers" },
  { id: "security", label: "Security log" },
] as const;
const SHARED_SECTIONS = [{ id: "account", label: "Account" }] as const;

/** The sections of the settings page. The shared demo account has fewer. */
export function SectionNav({ isShared }: { isShared: boolean }) {
  const sections = [...SECTIONS, ...(isShared ? SHARED_SECTIONS : OWN_SECTIONS)];
  return (
    <nav aria-label="Settings" className="min-w-0 lg:sticky lg:top-20 lg:self-start">
      <ul className="flex gap-1 overflow-x-auto lg:flex-col">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex h-11 items-center rounded-control px-3 font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text lg:h-8"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
