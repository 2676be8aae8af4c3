/** The languages of the documentation's samples. */
const DOCS_LANGUAGES = ["curl", "JavaScript", "Python"] as const;
export type DocsLanguage = (typeof DOCS_LANGUAGES)[number];

/** The language that this browser chose last; see `RememberLanguage`. */
export const DOCS_LANGUAGE_COOKIE = "ante-docs-language";

/** Reads the cookie; curl without a valid one. */
export function parseDocsLanguage(stored: string | undefined): DocsLanguage {
  return DOCS_LANGUAGES.find((language) => language === stored) ?? "curl";
}
