/** Proofs of the keys that tokens are bound to. */
import { refusal, replacement } from '../checks.mjs';

const proofs = ['proofs of keys'];

export const checks = [
  refusal('type of a proof', 'typ !== "dpop+jwt"', proofs, /of another type/),
  refusal('key of the token', 'await jwkThumbprint(jwk) !== jkt', proofs, /a proof of another key/),
  refusal('method of a proof', 'htm !== method', proofs, /for another method/),
  refusal('URL of a proof', 'normalizeUrl(htu) !== url', proofs, /for another host/),
  refusal('token of a proof', 'ath !== hash("sha256", token, "base64url")', proofs, /for another token/),
  replacement(
    'signature of a proof',
    ['await compactVerify(proof, await importJWK(jwk, alg), { algorithms: [alg] });', ''],
    proofs,
    /signed by another key than it names/,
  ),
  replacement(
    'a proof counts once',
    ['if ((this.#taken.get(key) ?? now) > now) return false', 'if (false) return false'],
    proofs,
    /used before/,
  ),
  replacement('nonce of a proof', ['if (!this.needsNonce && !isOld) return;', 'return;'], proofs, /nonce/),
  refusal(
    'scheme of a token',
    'jkt !== void 0 !== (scheme === "DPoP")',
    proofs,
    /a bound token by Bearer|a plain token by DPoP/,
  ),
];
