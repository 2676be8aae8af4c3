// The builder credentials of services whose wallet transactions a sandbox relays.

export const BUILDER = {
  key: "ante",
  secret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ=",
  passphrase: "pass",
};

/** The variables of a service that sends wallet transactions. */
export const BUILDER_ENVIRONMENT = {
  BUILDER_API_KEY: BUILDER.key,
  BUILDER_SECRET: BUILDER.secret,
  BUILDER_PASSPHRASE: BUILDER.passphrase,
};

/** The value of SANDBOX_BUILDER_KEY with which a sandbox knows these credentials. */
export const SANDBOX_BUILDER = `${BUILDER.key}:${BUILDER.secret}:${BUILDER.passphrase}`;
