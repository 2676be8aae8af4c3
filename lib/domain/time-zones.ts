/**
 * Current zone names by the older name that Intl uses, from CLDR. All other names of
 * `Intl.supportedValuesOf` are current.
 */
const CURRENT_NAMES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Returns the current name of a time zone by any of its names; null if it doesn't exist. */
export function findTimeZone(name: string): string | null {
  try {
    const known = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
    return CURRENT_NAMES[known] ?? known;
  } catch {
    return null;
  }
}

/** Returns the current names of all time zones, UTC first. */
export function listTimeZones(): string[] {
  const names = Intl.supportedValuesOf("timeZone").map((name) => CURRENT_NAMES[name] ?? name);
  return ["UTC", ...[...new Set(names)].filter((name) => name !== "UTC").toSorted()];
}
