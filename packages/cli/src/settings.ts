// The files of the command line: the API key, the journal of orders, and the secret of forwarded events.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isApiKey } from "@ante/client";
import { UsageError } from "./command.ts";
import { CliError } from "./exit-codes.ts";

export interface Login {
  url: string;
  apiKey: string;
}

/** Throws if the address is not one, before it is called a fault of the service. */
export function checkUrl(url: string): void {
  if (URL.canParse(url) && /^https?:\/\//.test(url)) return;
  throw new UsageError(`"${url}" is no address. Give --url or ANTE_URL as ${DEFAULT_URL}.`);
}

/** Throws if a text can't be an API key. */
export function checkApiKey(apiKey: string): void {
  if (isApiKey(apiKey)) return;
  throw new CliError(
    "INVALID_KEY",
    "The API key doesn't have the form ante_paper_… or ante_live_….",
    "Run `ante login` with a key from the dashboard.",
    2,
  );
}

export type Variables = Readonly<Record<string, string | undefined>>;

export const DEFAULT_URL = "http://127.0.0.1:3000";

export interface Files {
  login: string;
  journal: string;
  webhookSecret: string;
}

/** Returns the paths of all files: below ANTE_HOME, or in the user's configuration folder. */
export function findFiles(variables: Variables): Files {
  const config = variables["XDG_CONFIG_HOME"] || join(variables["HOME"] || homedir(), ".config");
  const folder = variables["ANTE_HOME"] || join(config, "ante");
  return {
    login: join(folder, "login.json"),
    journal: join(folder, "journal"),
    webhookSecret: join(folder, "webhook-secret"),
  };
}

/** Reads address and key: ANTE_URL and ANTE_API_KEY first, then what `ante login` stored. */
export function readLogin(variables: Variables): Partial<Login> {
  const stored = readStored(findFiles(variables).login);
  const apiKey = variables["ANTE_API_KEY"] || stored.apiKey;
  const url = variables["ANTE_URL"] || stored.url || DEFAULT_URL;
  return { url, ...(apiKey === undefined ? {} : { apiKey }) };
}

function readStored(path: string): Partial<Login> {
  if (!existsSync(path)) return {};
  return JSON.parse(readFileSync(path, "utf8")) as Partial<Login>;
}

/** Writes a file that only its owner can read. It is complete or not there. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** Whether others can read a file. False if it doesn't exist. */
export function isOpenToOthers(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return process.platform !== "win32" && stats !== undefined && (stats.mode & 0o077) !== 0;
}
