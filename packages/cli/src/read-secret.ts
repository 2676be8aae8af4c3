import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CliError } from "./exit-codes.ts";

/** Reads one line from standard input. On a terminal it asks, and shows nothing of what is typed. */
export async function readSecretLine(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const isTerminal = stdin.isTTY === true;
  if (isTerminal) stderr.write(prompt);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: isTerminal });
  try {
    for await (const line of lines) {
      if (isTerminal) stderr.write("\n");
      const secret = line.trim();
      if (secret !== "") return secret;
    }
  } finally {
    lines.close();
  }
  throw new CliError(
    "NO_KEY",
    "No API key was given.",
    "Paste the key, or run `ante login < file`.",
    2,
  );
}
