import type { NextConfig } from "next";

const NOSNIFF = { "x-content-type-options": "nosniff" };
/** What else pages, their files and redirects carry. The interface and the sandbox are no pages. */
const PAGE_HEADERS = {
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

const listOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }));

const config: NextConfig = {
  poweredByHeader: false,
  agentRules: false,
  // Paths of the interface keep their trailing slash: they answer the envelope, not a redirect.
  skipTrailingSlashRedirect: true,
  // `npm run verify` checks all types, tests included; the build of a production install has no
  // test tools to check them with.
  typescript: { ignoreBuildErrors: true },
  // What the pages' forms need, and no more: larger bodies are cut before anything reads them.
  experimental: {
    proxyClientMaxBodySize: "256kb",
    serverActions: { bodySizeLimit: "64kb" },
    // A build happens once per version: what would make a next one faster takes 200 MB of disk.
    turbopackFileSystemCacheForBuild: false,
  },
  headers: async () => [
    { source: "/:path*", headers: listOf(NOSNIFF) },
    {
      source: "/:path((?!(?:api/)?(?:v1|health|sandbox)(?:/|$)).*)",
      headers: listOf(PAGE_HEADERS),
    },
  ],
  rewrites: async () => [
    { source: "/health", destination: "/api/health" },
    { source: "/v1/:path*", destination: "/api/v1/:path*" },
    { source: "/sandbox/:path*", destination: "/api/sandbox/:path*" },
  ],
};

export default config;
