const SECTIONS = [
  { id: "trading", label: "Trading" },
  { id: "limits", label: "Limits and freeze" },
  { id: "display", label: "Display" },
  { id: "region", label: "Region" },
  { id: "notifications", label: "Notifications" },
] as const;
const OWN_SECTIONS = [
  { id: "account", label: "Password" },
  { id: "sessions", label: "Browsers" },
  { id: "security", label: "Security" },
] as const;
const SHARED_SECTIONS = [{ id: "account", label: "Account" }] as const;

/** A part of the settings. Each has its own URL. */
export type SettingsSection = (typeof SECTIONS)[number]["id"] | (typeof OWN_SECTIONS)[number]["id"];

/** Lists the sections of an account. The shared demo account has fewer. */
export function listSections(isShared: boolean): readonly { id: SettingsSection; label: string }[] {
  return [...SECTIONS, ...(isShared ? SHARED_SECTIONS : OWN_SECTIONS)];
}

export const buildSettingsHref = (section: SettingsSection) => `/settings?section=${section}`;

/** The section of the second factors and the security log. */
export const SECURITY_HREF = buildSettingsHref("security");
