import "server-only";
import { join } from "node:path";

/** Returns the path of a project file. Every command runs in the project's root. */
export function projectPath(...segments: string[]): string {
  return join(/* turbopackIgnore: true */ process.cwd(), ...segments);
}
