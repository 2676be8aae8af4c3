/** Next calls this once per server: development and hosts without `server.mjs` boot here. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { boot } = await import("@/lib/server/boot");
  await boot();
}
