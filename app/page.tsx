const PATHS = [
  ["GET /health", "is the service reachable?"],
  ["GET /v1/markets", "what can be traded, with token ids"],
  ["POST /v1/orders", "place an order, once"],
  ["GET /v1/positions", "what the account is worth"],
] as const;

export default function HomePage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center gap-6 px-6 py-16">
      <header className="flex flex-col gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">Ante</h1>
        <p className="text-text-2">
          A betting account service for prediction markets. Paper money, an embedded exchange, and
          orders that happen exactly once.
        </p>
      </header>
      <section className="rounded-xl border border-border bg-surface p-4">
        <h2 className="mb-3 font-semibold">The interface</h2>
        <dl className="grid gap-2 sm:grid-cols-[auto_1fr] sm:gap-x-6">
          {PATHS.map(([path, meaning]) => (
            <div key={path} className="contents">
              <dt className="font-mono text-sm">{path}</dt>
              <dd className="text-sm text-text-2">{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p className="text-sm text-text-2">
        The whole of it is described at{" "}
        <a className="text-accent underline" href="/v1/openapi.json">
          /v1/openapi.json
        </a>
        . The terminal that started this service shows a first trade to paste.
      </p>
    </main>
  );
}
