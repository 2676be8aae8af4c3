import { createECDH } from "node:crypto";
import { expect, it } from "vitest";
import { decrypt } from "@/tests/support/push/browser";

it("the tests' browser decrypts the example of RFC 8291", () => {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url");
  const encrypted = Buffer.from(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc" +
      "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV" +
      "WGNWQexSgSxsj_Qulcy4a-fN",
    "base64url",
  );
  const auth = Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url");
  expect(decrypt(encrypted, { pair, auth }).toString()).toBe(
    "When I grow up, I want to be a watermelon",
  );
});
