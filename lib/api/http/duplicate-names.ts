import "server-only";

/**
 * Finds a name that an object of a JSON text has twice. `JSON.parse` takes the last value, and another
 * parser may take the first. Escapes are resolved: `"\u0061mount"` equals `"amount"`.
 *
 * @param text valid JSON.
 * @returns the first repeated name, or null.
 */
export function findDuplicateName(text: string): string | null {
  /** The names of each open object; null for an open array. */
  const open: (Set<string> | null)[] = [];
  let mayBeName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        mayBeName = true;
        break;
      case "[":
        open.push(null);
        mayBeName = false;
        break;
      case "}":
      case "]":
        open.pop();
        mayBeName = false;
        break;
      case ",":
        mayBeName = open.at(-1) !== null;
        break;
      case '"': {
        const end = findStringEnd(text, at);
        const names = open.at(-1);
        if (mayBeName && names) {
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          if (names.has(name)) return name;
          names.add(name);
        }
        mayBeName = false;
        at = end;
        break;
      }
      default:
    }
  }
  return null;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
