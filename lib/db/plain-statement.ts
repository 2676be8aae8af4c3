import "server-only";
import { SQL, StringChunk } from "drizzle-orm";

const VALUES: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/** A statement as it is sent. */
interface Compiled {
  sql: string;
  params: unknown[];
}

/**
 * A statement whose parts are only texts, values and other such statements. It writes its text itself,
 * because drizzle tests every part for a dozen kinds. That took 0.4 ms of the 4.7 ms of CPU time of an
 * order (under the profiler, 3,000 resting and market orders).
 */
export class PlainStatement extends SQL {
  override toQuery(config: Parameters<SQL["toQuery"]>[0]): ReturnType<SQL["toQuery"]> {
    return compilePlain(this) ?? super.toQuery(config);
  }
}

/** Compiles a statement; null if it has parts of another kind, such as a column. */
export function compilePlain({ queryChunks }: SQL): Compiled | null {
  const params: unknown[] = [];
  const text = writeText(queryChunks, params);
  return text === null ? null : { sql: text, params };
}

/** Returns the text and adds the values to `params`. */
function writeText(chunks: readonly unknown[], params: unknown[]): string | null {
  let text = "";
  for (const chunk of chunks) {
    if (chunk instanceof StringChunk) text += chunk.value.join("");
    else if (chunk instanceof SQL) {
      const part = writeText(chunk.queryChunks, params);
      if (part === null) return null;
      text += part;
    } else if (chunk === null || VALUES.has(typeof chunk)) text += `$${params.push(chunk)}`;
    else return null;
  }
  return text;
}
