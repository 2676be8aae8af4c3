/** The longest text that is passed on. Rules of markets can have pages. */
const MAX_LENGTH = 2_000;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Fields of the interface whose text people outside wrote: creators of markets, and the venue. */
const UNTRUSTED_FIELDS: ReadonlySet<string> = new Set([
  "category",
  "eventTitle",
  "marketTitle",
  "message",
  "name",
  "outcome",
  "resolutionSource",
  "rules",
  "title",
]);
/** Fields that repeat untrusted text in addresses, and that no tool needs. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "eventSlug",
  "iconUrl",
  "marketRoute",
  "marketSlug",
  "slug",
]);

/**
 * Marks a text that somebody outside wrote, so that a model takes it as data. The text cannot close the
 * mark, because its angle brackets are escaped, and cannot hide anything in invisible characters.
 */
export function markUntrusted(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  const visible = cut.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  const escaped = visible.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? "");
  return `<untrusted>${escaped}</untrusted>`;
}

/** Marks the untrusted texts in data whose fields differ, such as that of events. */
export function markUntrustedFields(value: unknown, field = ""): unknown {
  if (typeof value === "string") return UNTRUSTED_FIELDS.has(field) ? markUntrusted(value) : value;
  if (Array.isArray(value)) return value.map((each) => markUntrustedFields(each, field));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, markUntrustedFields(each, name)]));
}
