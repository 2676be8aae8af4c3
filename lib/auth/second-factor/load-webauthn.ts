import "server-only";

/**
 * Loads the library that checks passkeys, with the first passkey. Its certificate parsers are a third of all
 * modules: loading them takes 0.4 s, which neither the server's start nor an admin command needs.
 */
export const loadWebAuthn = () => import("@simplewebauthn/server");
