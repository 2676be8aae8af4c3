import "server-only";
import { listGroups } from "@/app/docs/_lib/reference";
import { DOCS_PAGES } from "@/components/docs/pages";
import { SECTIONS } from "@/components/docs/sections";
import { writeApostrophes } from "@/components/format/typographic";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";

export interface SearchHit {
  href: string;
  title: string;
  /** Where it is: the page, or the method and path of an operation. */
  place: string;
  summary: string;
}

interface Entry extends SearchHit {
  /** The title and other names, in lowercase. Hits in them come first. */
  names: string;
  /** Everything that is searched, in lowercase. */
  text: string;
}

/** Finds the operations, sections and error codes that contain every word. Better hits come first. */
export function searchDocs(query: string): SearchHit[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  const countNames = ({ names }: Entry) => words.filter((word) => names.includes(word)).length;
  entries ??= listEntries();
  return entries
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .toSorted((a, b) => countNames(b) - countNames(a));
}

let entries: readonly Entry[] | undefined;

const createEntry = (hit: SearchHit, names: string, others = ""): Entry => ({
  ...hit,
  names: names.toLowerCase(),
  text: [names, hit.place, hit.summary, others].join(" ").toLowerCase(),
});

function listEntries(): Entry[] {
  return [...listOperationEntries(), ...listSectionEntries(), ...listErrorEntries()];
}

function listOperationEntries(): Entry[] {
  return listGroups().flatMap(({ href, name, operations }) =>
    operations.map((operation) => {
      const { id, title, method, path, summary, description } = operation;
      const fields = [...operation.parameters, ...(operation.body ?? []), ...operation.answer];
      return createEntry(
        { href: `${href}#${id}`, title, place: `${method} ${path}`, summary },
        `${title} ${id} ${path} ${name}`,
        [description, ...fields.map((field) => field.name)].join(" "),
      );
    }),
  );
}

function listSectionEntries(): Entry[] {
  const labels = new Map<string, string>(DOCS_PAGES.map(({ href, label }) => [href, label]));
  return Object.entries(SECTIONS).flatMap(([href, sections]) => {
    const place = labels.get(href) ?? "";
    return [
      createEntry({ href, title: place, place: "Page", summary: "" }, place),
      ...sections.map(({ id, label }) =>
        createEntry(
          { href: `${href}#${id}`, title: label, place, summary: "" },
          `${label} ${place}`,
        ),
      ),
    ];
  });
}

function listErrorEntries(): Entry[] {
  return Object.entries(ERROR_GUIDE).map(([code, { meaning, cause }]) =>
    createEntry(
      {
        href: `/docs/errors#${code}`,
        title: code,
        place: "Errors",
        summary: writeApostrophes(meaning),
      },
      code,
      cause,
    ),
  );
}
