import "server-only";
import { join } from "node:path";

/** A file of the project. Every command runs in the project's root, whatever bundle the code is in. */
export function projectPath(...segments: string[]): string {
  return join(/* turbopackIgnore: true */ process.cwd(), ...segments);
}
