#!/usr/bin/env node
// The command `ante`.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Ante } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import { type Command, type ExitCode, type Given, UsageError } from "./command.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { CliError, describeFailure } from "./exit-codes.ts";
import { COMMON_OPTIONS, renderGroup, renderHelp, renderOverview } from "./help.ts";
import { Output } from "./output.ts";
import { checkApiKey, checkUrl, findFiles, readLogin } from "./settings.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<ExitCode> {
  // A reader such as `head` that leaves ends the command quietly.
  process.stdout.on("error", () => process.exit(0));
  try {
    if (argv[0] === "--version") return showVersion();
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

function showVersion(): ExitCode {
  const described = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  process.stdout.write(`${(JSON.parse(described) as { version: string }).version}\n`);
  return 0;
}

/** Shows all commands, or those that begin with a word, such as "order". */
function showOverview(argv: readonly string[], words: readonly string[]): ExitCode {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  const asksForHelp = argv.includes("--help") || argv.includes("-h");
  if (words.length > 0 && !asksForHelp) {
    const known = group.map(({ name }) => `"${name}"`).join(", ");
    const instead = known === "" ? "" : ` There are ${known}.`;
    throw new UsageError(`There is no command "${words.slice(0, 2).join(" ")}".${instead}`);
  }
  process.stdout.write(`${group.length > 0 ? renderGroup(group) : renderOverview(COMMANDS)}\n`);
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
  checkUrl(url);
  checkApiKey(apiKey);
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
