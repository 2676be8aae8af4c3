import "server-only";
import { KEY_VARIABLE } from "@/app/docs/_lib/examples";
import { SAMPLE_EVENT } from "@/lib/api/operations/examples";
import { env } from "@/lib/env";

/** Returns an event as a program reads it. */
export const writeEvent = (): string => JSON.stringify(SAMPLE_EVENT, null, 2);

/** Returns a program that handles every event of an account. */
export const writeFollower = (): string => `const headers = {
  Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
};
let after = await loadLastNumber(); // zero at first

for (;;) {
  const query = \`after=\${after}&waitSeconds=30\`;
  const response = await fetch(\`${env().NEXTAUTH_URL}/v1/events?\${query}\`, { headers });
  const { ok, data, error } = await response.json();
  if (!ok) throw new Error(\`\${error.code}: \${error.message}\`);
  for (const event of data.events) {
    await handle(event);
    after = event.seq;
    await saveLastNumber(after);
  }
}`;
