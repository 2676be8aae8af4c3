declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  interface EncryptOptions {
    version: "aes128gcm";
    /** The receiver's public key in base64url. */
    dh: string;
    /** A key pair for this message alone. */
    privateKey: ECDH;
    /** The receiver's authentication secret in base64url. */
    authSecret: string;
  }

  const ece: { encrypt(plaintext: Buffer, options: EncryptOptions): Buffer };
  export default ece;
}
