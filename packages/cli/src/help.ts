import type { Command, Option } from "./command.ts";
import { EXIT_CODES } from "./exit-codes.ts";

export const COMMON_OPTIONS = {
  json: { type: "boolean", help: "Write JSON. Piped output is always JSON." },
  live: { type: "boolean", help: "Allow a live key, which trades real money." },
  help: { type: "boolean", short: "h", help: "Show this help." },
} as const satisfies Record<string, Option>;

/** The help of the whole command line. */
export function renderOverview(commands: readonly Command[]): string {
  return [
    "ante: trade prediction markets on an Ante service, exactly once.",
    "",
    "Usage: ante <command> [options], or ante --version",
    "",
    "Commands:",
    ...renderSummaries(commands),
    "",
    "Options of every command:",
    ...renderOptions(COMMON_OPTIONS),
    "",
    "Start:",
    "  ante login                                  stores an API key from the dashboard",
    "  ante markets search rain                    finds markets and token ids",
    "  ante order preview --token ID --action buy --amount 5",
    "  ante order place --token ID --action buy --amount 5",
    "  ante events follow --after 0",
    "",
    "A paper key trades paper money. A live key needs --live with each command.",
    "",
    "Environment:",
    "  ANTE_URL, ANTE_API_KEY  override what `ante login` stored",
    "  ANTE_HOME               the folder of the key and of unfinished orders; ~/.config/ante by default",
    "  NO_COLOR                no colors",
    "",
    "Exit codes:",
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`),
    "",
    "Errors are JSON on standard error, with a code, a message and a hint.",
  ].join("\n");
}

/** The help of commands that begin with the same word. */
export function renderGroup(commands: readonly Command[]): string {
  const more = "Add --help to one of them to see its options.";
  return [...renderSummaries(commands), "", more].join("\n");
}

function renderSummaries(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

/** The help of one command. */
export function renderHelp({
  name,
  summary,
  usage,
  details,
  options = {},
  examples = [],
}: Command): string {
  const ownUsage = [`Usage: ante ${name}`, usage, "[options]"].filter(Boolean).join(" ");
  return [
    summary,
    "",
    ownUsage,
    ...(details === undefined ? [] : ["", details]),
    ...(Object.keys(options).length === 0 ? [] : ["", "Options:", ...renderOptions(options)]),
    "",
    "Options of every command:",
    ...renderOptions(COMMON_OPTIONS),
    ...(examples.length === 0 ? [] : ["", "Examples:", ...examples.map((line) => `  ${line}`)]),
  ].join("\n");
}

function renderOptions(options: Readonly<Record<string, Option>>): string[] {
  const lines = Object.entries(options).map(([name, { type, short, help }]) => {
    const value = type === "string" ? ` <${name}>` : "";
    return [`  ${short === undefined ? "    " : `-${short}, `}--${name}${value}`, help] as const;
  });
  const width = Math.max(...lines.map(([flag]) => flag.length));
  return lines.map(([flag, help]) => `${flag.padEnd(width)}  ${help}`);
}
