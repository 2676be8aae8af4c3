/** Internal headers of frameworks, proxies and our own code, sent by a client. */
export const HEADER_TRICKS: readonly [string, Record<string, string>][] = [
  [
    "Next's marker of internal requests",
    {
      "x-middleware-subrequest": Array.from({ length: 6 }, () => "middleware").join(":"),
      "x-middleware-subrequest-id": "0000000000000000",
    },
  ],
  [
    "the proxy file's marker of internal requests",
    { "x-middleware-subrequest": Array.from({ length: 6 }, () => "proxy").join(":") },
  ],
  [
    "response headers of a proxy file",
    {
      "x-middleware-next": "1",
      "x-middleware-rewrite": "/api/health",
      "x-middleware-override-headers": "authorization,cookie",
      "x-middleware-request-authorization": "Bearer x",
      "x-middleware-set-cookie": "next-auth.session-token=x",
      "x-middleware-prefetch": "1",
    },
  ],
  ["Next's internal paths", { "x-invoke-path": "/health", "x-matched-path": "/api/health" }],
  ["a prefetch", { purpose: "prefetch", "next-router-prefetch": "1", rsc: "1" }],
  [
    "a proxy's information about the caller",
    {
      "x-forwarded-for": "127.0.0.1, ::1",
      "x-forwarded-host": "localhost",
      "x-forwarded-proto": "https",
      "x-real-ip": "127.0.0.1",
      "x-forwarded-user": "demo@ante.local",
      "x-remote-user": "demo@ante.local",
      forwarded: "for=127.0.0.1;host=localhost;proto=https",
    },
  ],
  [
    "another path in a header",
    { "x-original-url": "/health", "x-rewrite-url": "/health", "x-forwarded-uri": "/health" },
  ],
  [
    "our own internal headers",
    { "x-ante-path": "/", "x-ante-lost-answer": "1", "x-rehearse": "x" },
  ],
  ["a host's marker of internal requests", { "x-vercel-cron": "1", "x-vercel-internal": "1" }],
];
