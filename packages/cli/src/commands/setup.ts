import { Ante } from "@ante/client";
import { fileJournal } from "@ante/client/node";
import { type Command, getText, refuseArguments, requireArgument, UsageError } from "../command.ts";
import { renderCompletion, SHELLS } from "../completion.ts";
import { describeFailure } from "../exit-codes.ts";
import { readSecretLine } from "../read-secret.ts";
import {
  checkApiKey,
  checkUrl,
  DEFAULT_URL,
  findFiles,
  isOpenToOthers,
  readLogin,
  writePrivate,
} from "../settings.ts";

const login: Command = {
  name: "login",
  summary: "Store the address of the service and an API key.",
  details: `Reads the key from standard input without showing it, checks it, and stores it in a file that only you can read.
ANTE_URL and ANTE_API_KEY override the file.`,
  options: { url: { type: "string", help: `The service's address; ${DEFAULT_URL} by default.` } },
  examples: ["ante login --url https://ante.example", "ante login < key.txt"],
  async run({ args, given, output }) {
    if (args.length > 0) {
      throw new UsageError(
        "Don't write the key into the command: shells keep a history. Paste it when asked.",
      );
    }
    const url = getText(given, "url") ?? process.env["ANTE_URL"] ?? DEFAULT_URL;
    checkUrl(url);
    const apiKey = await readSecretLine("API key: ");
    checkApiKey(apiKey);
    const key = await new Ante({ baseUrl: url, apiKey, deadlineMs: 10_000 }).key.get();
    const { login: path } = findFiles(process.env);
    writePrivate(path, `${JSON.stringify({ url, apiKey })}\n`);
    output.facts(
      { url, file: path, mode: key.mode, name: key.name, scopes: key.scopes },
      { url, file: path, mode: key.mode, name: key.name, scopes: key.scopes.join(", ") },
    );
  },
};

interface Check {
  check: string;
  ok: boolean;
  detail: string;
}

const doctor: Command = {
  name: "doctor",
  summary: "Check the connection, the key and unfinished orders.",
  details: "Exits with 0 if everything is right, and with 1 if a check finds a problem.",
  async run({ args, output }) {
    refuseArguments(args);
    const checks = [...checkFiles(), ...(await checkService())];
    const rows = checks.map(({ check, ok, detail }) => ({
      check,
      result: ok ? "ok" : "problem",
      detail,
    }));
    output.table({ ok: checks.every(({ ok }) => ok), checks }, rows, "");
    return checks.every(({ ok }) => ok) ? 0 : 1;
  },
};

function checkFiles(): Check[] {
  const files = findFiles(process.env);
  const open = [files.login, files.journal, files.webhookSecret].filter(isOpenToOthers);
  const unsettled = fileJournal(files.journal).listUnsettled();
  return [
    {
      check: "files",
      ok: open.length === 0,
      detail:
        open.length === 0
          ? "Only you can read them."
          : `Others can read ${open.join(", ")}. Run: chmod 600`,
    },
    {
      check: "orders",
      ok: unsettled.length === 0,
      detail:
        unsettled.length === 0
          ? "Every order has a known outcome."
          : `${unsettled.length} without a known outcome: ${unsettled.map(({ idempotencyKey, baseUrl }) => `${idempotencyKey} (${baseUrl})`).join(", ")}. Run: ante order resume`,
    },
  ];
}

async function checkService(): Promise<Check[]> {
  const { url = DEFAULT_URL, apiKey } = readLogin(process.env);
  const options = { baseUrl: url, deadlineMs: 5_000 };
  const missing =
    apiKey === undefined
      ? [{ check: "key", ok: false, detail: "There is none. Run: ante login" }]
      : [];
  try {
    checkUrl(url);
    await new Ante(options).health();
  } catch (error) {
    const { message } = describeFailure(error).error;
    return [
      { check: "service", ok: false, detail: `${url} doesn't respond. ${message}` },
      ...missing,
    ];
  }
  const reachable = { check: "service", ok: true, detail: `${url} responds.` };
  if (apiKey === undefined) return [reachable, ...missing];
  try {
    checkApiKey(apiKey);
    const key = await new Ante({ ...options, apiKey }).key.get();
    const detail = `${key.name}: ${key.mode}, ${key.scopes.join(", ")}`;
    const frozen = {
      check: "key",
      ok: false,
      detail: `${detail}. It is frozen; its owner can thaw it.`,
    };
    return [reachable, key.frozen ? frozen : { check: "key", ok: true, detail }];
  } catch (error) {
    const { message, hint } = describeFailure(error).error;
    return [reachable, { check: "key", ok: false, detail: `${message} ${hint}` }];
  }
}

/** Prints the completion script, which is made from the commands themselves. */
export function makeCompletionCommand(listCommands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a script that completes commands and options in your shell.",
    usage: SHELLS.join(" | "),
    examples: ["ante completion bash > ~/.local/share/bash-completion/completions/ante"],
    async run({ args, output }) {
      output.write(renderCompletion(requireArgument(args, "shell"), listCommands()));
    },
  };
}

export const SETUP_COMMANDS = [login, doctor];
