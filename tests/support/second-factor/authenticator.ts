// An authenticator in software: creates passkeys and signs challenges with node:crypto.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** The ways in which an assertion can be wrong. */
export interface Twist {
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  crossOrigin?: boolean;
  isUserVerified?: boolean;
  userHandle?: string;
  /** Signs other bytes than the response has. */
  isForged?: boolean;
}

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64url");

export class SoftwareAuthenticator {
  readonly id = randomBytes(32);
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
    }));
  }

  /** Returns the browser's response to registration options, as JSON. */
  register({ challenge }: { challenge: string }, twist: Twist = {}): string {
    const authData = Buffer.concat([
      this.composeAuthData(twist, HAS_CREDENTIAL),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.encodeKey(),
    ]);
    const attestation = encodeMap([
      ["fmt", "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", authData],
    ]);
    return JSON.stringify({
      id: base64(this.id),
      rawId: base64(this.id),
      type: "public-key",
      response: {
        clientDataJSON: this.composeClientData(challenge, { type: "webauthn.create", ...twist }),
        attestationObject: base64(attestation),
        transports: ["internal"],
      },
      clientExtensionResults: {},
    });
  }

  /** Returns the browser's response to authentication options, as JSON. */
  assert({ challenge }: { challenge: string }, twist: Twist = {}): string {
    this.counter += 1;
    const authData = this.composeAuthData({ counter: this.counter, ...twist }, 0);
    const clientData = this.composeClientData(challenge, { type: "webauthn.get", ...twist });
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientData, "base64url"))]);
    const signature = sign("sha256", twist.isForged ? randomBytes(32) : signed, this.privateKey);
    return JSON.stringify({
      id: base64(this.id),
      rawId: base64(this.id),
      type: "public-key",
      response: {
        clientDataJSON: clientData,
        authenticatorData: base64(authData),
        signature: base64(signature),
        ...(twist.userHandle === undefined ? {} : { userHandle: base64(twist.userHandle) }),
      },
      clientExtensionResults: {},
    });
  }

  private composeAuthData(
    { rpId = this.rpId, counter = 0, isUserVerified = true }: Twist,
    flags: number,
  ): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), count]);
  }

  private composeClientData(challenge: string, twist: Twist): string {
    const { type, origin = this.origin, crossOrigin = false } = twist;
    return base64(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  /** The public key in COSE form: ES256. */
  private encodeKey(): Buffer {
    const { x = "", y = "" } = this.publicKey.export({ format: "jwk" });
    return encodeMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]);
  }
}

type Value = number | string | Buffer | Map<string, never>;

/** Encodes a map as CBOR. */
function encodeMap(entries: readonly (readonly [number | string, Value])[]): Buffer {
  const body = entries.flatMap(([key, value]) => [encode(key), encode(value)]);
  return Buffer.concat([encodeHead(5, entries.length), ...body]);
}

function encode(value: Value): Buffer {
  if (typeof value === "number") {
    return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  }
  if (value instanceof Map) return encodeHead(5, 0);
  const bytes = Buffer.from(value);
  return Buffer.concat([encodeHead(typeof value === "string" ? 3 : 2, bytes.length), bytes]);
}

function encodeHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
