import "server-only";
import { z } from "zod";
import { EnvVariables, SECRET_NAMES } from "@/lib/env";

type Name = keyof typeof EnvVariables.shape;

const SECTIONS: readonly { title: string; names: readonly Name[] }[] = [
  {
    title: "Server",
    names: [
      "PORT",
      "HOST",
      "NEXTAUTH_URL",
      "TRUSTED_PROXIES",
      "REQUIRE_SECOND_FACTOR",
      "LOG_LEVEL",
    ],
  },
  { title: "Database", names: ["DATA_DIR", "DATABASE_URL", "DATABASE_POOLER"] },
  {
    title: "Secrets",
    names: [
      "KEY_ENCRYPTION_KEYS",
      "KEY_PROVIDER",
      "AWS_KMS_KEY_ID",
      "AWS_KMS_ENDPOINT",
      "API_KEY_PEPPER",
      "NEXTAUTH_SECRET",
      "CRON_SECRET",
    ],
  },
  { title: "Paper exchange", names: ["MARKET_DATA", "PAPER_SEED", "PAPER_CLOCK"] },
  {
    title: "Sandbox",
    names: ["SANDBOX_RULES", "SANDBOX_RELAYER_MS", "SANDBOX_RELAYER_QUOTA", "SANDBOX_BUILDER_KEY"],
  },
  {
    title: "Live trading",
    names: [
      "VENUES",
      "ALLOW_EMBEDDED_DB_FOR_LIVE",
      "CLOB_API_URL",
      "GAMMA_API_URL",
      "DATA_API_URL",
      "RELAYER_API_URL",
      "POLYGON_RPC_URL",
      "BUILDER_API_KEY",
      "BUILDER_SECRET",
      "BUILDER_PASSPHRASE",
      "POLYGON_CHAIN_ID",
      "BUILDER_CODE",
      "SUBMIT_ATTEMPT_TIMEOUT_MS",
      "SUBMIT_BUDGET_MS",
      "RECONCILE_TICK_MS",
      "ABANDON_AFTER_MS",
    ],
  },
  {
    title: "Requests",
    names: [
      "IN_PROGRESS_WAIT_MS",
      "RATE_LIMIT_READS_PER_S",
      "RATE_LIMIT_WRITES_PER_S",
      "DEFAULT_LIMITS",
      "RATE_LIMIT_STATUS",
    ],
  },
  { title: "Webhooks and push notifications", names: ["WEBHOOK_ALLOW_PRIVATE"] },
];

const NOTES: Readonly<Record<string, string>> = {
  Database: `The embedded database is PGlite: Postgres inside the service's process. It needs no setup and serves one process.
It isn't safe against power loss. A killed process loses nothing that it answered. A unix socket in \`DATA_DIR\`
keeps a second process out, including one in another container on the same machine. The service refuses a volume
without unix sockets. Use Postgres for more than one process and for real money.`,
  Secrets: `With the embedded database, the first start generates the four secrets into \`DATA_DIR/secrets.json\`. With
\`DATABASE_URL\` they are required. Each secret can also come from a file: \`API_KEY_PEPPER_FILE\` and so on.
Set the variable or its file, not both.

With \`KEY_PROVIDER=aws-kms\`, the AWS SDK reads its own variables for credentials and \`AWS_REGION\`.
[Operations](operations.md#rotate-the-key-encryption-key) describes how to rotate these keys.`,
};

/** Renders docs/configuration.md. */
export function renderConfiguration(): string {
  const listed = new Set<string>(SECTIONS.flatMap(({ names }) => names));
  const missing = Object.keys(EnvVariables.shape).filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`no section lists ${missing.join(", ")}`);
  return [INTRODUCTION, ...SECTIONS.map(renderSection)].join("\n\n") + "\n";
}

const INTRODUCTION = `# Configuration

<!-- Generated from lib/env.ts by \`npm run docs\`. Don't edit this file. -->

Ante reads environment variables. Every command first loads \`.env\` from the project's root; a variable that is already
set wins over the file. Ante doesn't read \`.env.local\` and similar files, and warns about them at start. An empty value
counts as unset. An invalid value is a start-up error that names the variable. \`.env.example\` lists every variable.`;

function renderSection({ title, names }: (typeof SECTIONS)[number]): string {
  const rows = names.map((name) => {
    const schema = EnvVariables.shape[name];
    const { description } = schema.meta() ?? {};
    if (!description) throw new Error(`${name} has no description in lib/env.ts`);
    return [`\`${name}\``, renderDefault(name, schema), description];
  });
  const table = renderTable([["Variable", "Default", "Meaning"], ...rows]);
  return [`## ${title}`, table, NOTES[title]].filter((part) => part !== undefined).join("\n\n");
}

function renderDefault(name: Name, schema: z.ZodType): string {
  if (SECRET_NAMES.some((secret) => secret === name)) return "generated";
  const value = findDefault(schema);
  if (value !== undefined) return `\`${String(value)}\``;
  return String(schema.meta()?.["ifUnset"] ?? "unset");
}

/** Finds the default as written in the environment, before the schema transforms it. */
function findDefault(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  return schema instanceof z.ZodPipe ? findDefault(schema.def.in) : undefined;
}

/** Renders a table with aligned columns, in prettier's format. */
function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(
    (row) => `| ${widths.map((w, i) => (row[i] ?? "").padEnd(w)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
