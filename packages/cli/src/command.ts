import type { Ante } from "@ante/client";
import type { Output } from "./output.ts";

/** An option of a command, as `parseArgs` of Node takes it. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  help: string;
}

/** The options as they were given. */
export type Given = Readonly<Record<string, string | boolean | undefined>>;

/** The arguments of a running command, its output and its connection. */
interface Context {
  /** The words after the command's name, without options. */
  args: readonly string[];
  given: Given;
  output: Output;
  /** Creates the client. Fails without a key, and with a live key unless `--live` is given. */
  connect(): Ante;
}

/** How a command ended. The table of exit codes is in `exit-codes.ts`. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 64;

export interface Command {
  /** As it is typed, such as "order place". */
  name: string;
  summary: string;
  /** The arguments after the name, for the help. */
  usage?: string;
  /** More lines of help. */
  details?: string;
  options?: Readonly<Record<string, Option>>;
  examples?: readonly string[];
  run(context: Context): Promise<ExitCode | void>;
}

/** The command line is wrong. Nothing was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Returns an option's text, or undefined. */
export function getText(given: Given, name: string): string | undefined {
  const value = given[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns an option's text. Throws if it is missing. */
export function requireText(given: Given, name: string): string {
  const value = getText(given, name);
  if (value === undefined || value === "") throw new UsageError(`--${name} is missing.`);
  return value;
}

/** Returns an option's decimal number as text, or undefined. */
export function getDecimal(given: Given, name: string): string | undefined {
  const text = getText(given, name);
  if (text !== undefined && !/^\d+(\.\d+)?$/.test(text))
    throw new UsageError(`--${name} must be a number, such as 12.5.`);
  return text;
}

/** Returns an option's whole number, or undefined. */
export function getNumber(given: Given, name: string): number | undefined {
  const text = getText(given, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(text);
}

/** Returns the only argument of a command. */
export function requireArgument(args: readonly string[], what: string): string {
  const [value] = args;
  if (value === undefined || args.length > 1) throw new UsageError(`Give one ${what}.`);
  return value;
}

/** Refuses arguments of a command that takes none. */
export function refuseArguments(args: readonly string[]): void {
  if (args.length > 0) throw new UsageError(`Unexpected: ${args.join(" ")}`);
}
