/** Starts the service in development and on hosts without `server.mjs`. Next calls this once. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { boot } = await import("@/lib/server/boot");
  await boot();
}
