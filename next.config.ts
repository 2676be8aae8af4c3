import type { NextConfig } from "next";

const NOSNIFF = { "x-content-type-options": "nosniff" };
/** Headers of pages, their files and redirects, but not of the API and the sandbox. */
const PAGE_HEADERS = {
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** Browsers ask for the icons with every page; a new one is seen within a day. */
const IMAGE_CACHE = { "cache-control": "public, max-age=86400" };

const toHeaderList = (headers: Record<string, string>) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }));

const config: NextConfig = {
  poweredByHeader: false,
  agentRules: false,
  // API paths with a trailing slash return an error envelope, not a redirect.
  skipTrailingSlashRedirect: true,
  // `npm run verify` checks all types, including tests. A production install lacks the tools for it.
  typescript: { ignoreBuildErrors: true },
  // Reads its WebAssembly from beside its own file, which a bundle would move.
  serverExternalPackages: ["tiny-secp256k1"],
  outputFileTracingIncludes: { "/**": ["node_modules/tiny-secp256k1/lib/secp256k1.wasm"] },
  // Limits for the pages' forms. Larger bodies are rejected before anything reads them.
  experimental: {
    proxyClientMaxBodySize: "256kb",
    serverActions: { bodySizeLimit: "64kb" },
    // A version is built once, so a cache for later builds would only take 200 MB of disk.
    turbopackFileSystemCacheForBuild: false,
  },
  headers: async () => [
    { source: "/:path*", headers: toHeaderList(NOSNIFF) },
    {
      source: "/:path(favicon\\.ico|apple-touch-icon\\.png|brand/.*)",
      headers: toHeaderList(IMAGE_CACHE),
    },
    {
      source: "/:path((?!(?:api/)?(?:v1|health|mcp|sandbox)(?:/|$)).*)",
      headers: toHeaderList(PAGE_HEADERS),
    },
  ],
  rewrites: async () => [
    { source: "/health", destination: "/api/health" },
    { source: "/v1/:path*", destination: "/api/v1/:path*" },
    { source: "/mcp", destination: "/api/mcp" },
    { source: "/sandbox/:path*", destination: "/api/sandbox/:path*" },
  ],
};

export default config;
