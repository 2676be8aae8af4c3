#!/usr/bin/env node
// The command `ante`.
import { parseArgs } from "node:util";
import { Ante } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import { type Command, type ExitCode, type Given, UsageError } from "./command.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { CliError, describeFailure } from "./exit-codes.ts";
import { COMMON_OPTIONS, renderHelp, renderOverview } from "./help.ts";
import { Output } from "./output.ts";
import { findFiles, readLogin } from "./settings.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<ExitCode> {
  // A reader such as `head` that leaves ends the command quietly.
  process.stdout.on("error", () => process.exit(0));
  try {
    const words = argv.filter((word) => !word.startsWith("-"));
    const command = findCommand(words);
    if (!command) return showOverview(argv, words);
    const options = { ...command.options, ...COMMON_OPTIONS };
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, ...rest }]) => [
          name,
          { type, ...("short" in rest ? { short: rest.short as string } : {}) },
        ]),
      ),
      allowPositionals: true,
    });
    return await run(command, positionals, values as Given);
  } catch (error) {
    const { exitCode, error: described } = describeFailure(error);
    process.stderr.write(`${JSON.stringify({ error: described })}\n`);
    return exitCode;
  }
}

function showOverview(argv: readonly string[], words: readonly string[]): ExitCode {
  if (words.length > 0 && !argv.includes("--help") && !argv.includes("-h"))
    throw new UsageError(`There is no command "${words.slice(0, 2).join(" ")}".`);
  process.stdout.write(`${renderOverview(COMMANDS)}\n`);
  return 0;
}

async function run(
  command: Command,
  positionals: readonly string[],
  given: Given,
): Promise<ExitCode> {
  const output = new Output(process, {
    json: given["json"] === true,
    noColor: Boolean(process.env["NO_COLOR"]),
  });
  if (given["help"] === true) {
    output.write(renderHelp(command));
    return 0;
  }
  const args = positionals.slice(command.name.split(" ").length);
  const connect = () => connectGiven(given["live"] === true);
  return (await command.run({ args, given, output, connect })) ?? 0;
}

/** Creates the client. A live key works only with `--live`, and `--live` only with a live key. */
function connectGiven(isLive: boolean): Ante {
  const { url = "", apiKey } = readLogin(process.env);
  if (apiKey === undefined) {
    throw new CliError(
      "NO_KEY",
      "There is no API key.",
      "Run `ante login`, or set ANTE_API_KEY.",
      2,
    );
  }
  const journal = fileJournal(findFiles(process.env).journal);
  const ante = new Ante({ baseUrl: url, apiKey, journal });
  if (ante.mode === "live" && !isLive) {
    const hint = "Add --live to trade real money, or use a paper key.";
    throw new CliError("LIVE_NOT_CONFIRMED", "The API key trades real money.", hint, 1);
  }
  if (ante.mode === "paper" && isLive) {
    const hint = "Leave out --live, or use a live key.";
    throw new CliError(
      "NOT_A_LIVE_KEY",
      "--live is given, but the API key trades paper money.",
      hint,
      1,
    );
  }
  return ante;
}
