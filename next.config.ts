import type { NextConfig } from "next";

/** What every answer carries: pages, their files, redirects, the sandbox. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

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
    {
      source: "/:path*",
      headers: Object.entries(HEADERS).map(([key, value]) => ({ key, value })),
    },
  ],
  rewrites: async () => [
    { source: "/health", destination: "/api/health" },
    { source: "/v1/:path*", destination: "/api/v1/:path*" },
    { source: "/sandbox/:path*", destination: "/api/sandbox/:path*" },
  ],
};

export default config;
