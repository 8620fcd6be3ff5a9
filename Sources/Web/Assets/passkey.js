// Signing in by a key that this machine keeps, behind a finger, a face or a number; and making one.

import { $, actor, ask, goOn, keepDrafts, showProblem } from "./app.js";

const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Whether keys work on this page: not on one that was opened by an address, nor in every browser. */
export const canUsePasskeys = isSecureContext && "PublicKeyCredential" in window && /[a-z]/i.test(location.hostname);

async function begin() {
  const { challenge, relying_party } = await ask("POST", "/api/v1/session/challenge", {});
  return { challenge, bytes: decode(challenge), host: relying_party };
}

/** Says what went wrong where somebody closed the browser's window, or has no key here. */
function plain(error) {
  if (error.code || error.name !== "NotAllowedError") throw error;
  throw Object.assign(new Error("No passkey was used."), { code: "no_passkey" });
}

export async function assertion() {
  const { challenge, bytes, host } = await begin();
  const key = await navigator.credentials.get({ publicKey: { challenge: bytes, rpId: host, userVerification: "required" } }).catch(plain);
  return {
    challenge,
    credential: encode(key.rawId),
    client_data: encode(key.response.clientDataJSON),
    authenticator_data: encode(key.response.authenticatorData),
    signature: encode(key.response.signature),
  };
}

export async function signInByPasskey() {
  return ask("POST", "/api/v1/session/passkey", await assertion());
}

export async function addPasskey(label, passphrase) {
  const { challenge, bytes, host } = await begin();
  const id = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(host + " " + actor));
  const key = await navigator.credentials.create({
    publicKey: {
      challenge: bytes,
      rp: { id: host, name: document.querySelector(".brand")?.textContent || "VetNet" },
      user: { id, name: actor, displayName: actor },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
    },
  }).catch(plain);
  return ask("POST", "/api/v1/passkeys", {
    challenge,
    label,
    passphrase,
    client_data: encode(key.response.clientDataJSON),
    authenticator_data: encode(key.response.getAuthenticatorData()),
    public_key: encode(key.response.getPublicKey()),
  });
}

const again = $("[data-person-passkey]");
if (again) {
  again.hidden = !canUsePasskeys;
  again.addEventListener("click", async () => {
    const problem = $(".problem", again.closest("form"));
    problem.hidden = true;
    again.disabled = true;
    await keepDrafts();
    try {
      goOn(await signInByPasskey());
    } catch (error) {
      showProblem(problem, error);
    } finally {
      again.disabled = false;
    }
  });
}
