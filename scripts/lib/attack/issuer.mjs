/** Authorization servers of the attacks: their metadata, their keys, and what they sign. */
import { KeyObject, sign } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import { startLoopback } from '../../../fixtures/upstreams/loopback.mjs';

/** Audience of the tokens. */
export const AUDIENCE = 'https://mcp.test/mcp';

/** From now, in seconds since 1970. */
export function seconds(fromNow) {
  return Math.floor(Date.now() / 1000) + fromNow;
}

export async function newKey(kid) {
  const alg = 'ES256';
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export class Issuer {
  /** The paths that were asked for. */
  asked = [];
  /** Keys or a certificate at `/evil`, to which only tokens point. */
  lure = '';

  static async open() {
    const issuer = new Issuer();
    issuer.key = await newKey('first');
    return Object.assign(issuer, await startLoopback(({ url }) => issuer.#answer(url.pathname)));
  }

  #answer(path) {
    this.asked.push(path);
    if (path === '/evil') return { text: this.lure, headers: { 'content-type': 'application/json' } };
    if (path === '/jwks') return { json: { keys: [this.key.publicJwk] } };
    if (path !== '/.well-known/oauth-authorization-server') return { status: 404, json: {} };
    return { json: { issuer: this.url, jwks_uri: `${this.url}/jwks` } };
  }

  claims() {
    const [exp, iat] = [seconds(100_000), seconds(-1)];
    return { iss: this.url, aud: AUDIENCE, sub: 'alice', exp, iat, scope: 'base' };
  }

  /** A good token, but for what is given. */
  token(claims = {}, header = {}, { kid, alg, privateKey } = this.key) {
    return new SignJWT({ ...this.claims(), ...claims })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
      .sign(privateKey);
  }

  /** A good token, but for its header, which says what it is given, and is signed as it stands. */
  signed(header) {
    const text = [header, this.claims()].map((part) => base64url(JSON.stringify(part))).join('.');
    return `${text}.${signatureOf(text, this.key.privateKey)}`;
  }
}

function base64url(text) {
  return Buffer.from(text).toString('base64url');
}

/** By ES256 (RFC 7518, section 3.4), whatever the text says. */
function signatureOf(text, privateKey) {
  const key = KeyObject.from(privateKey);
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

/** An endpoint of an issuer that is sent forms, to exchange tokens (RFC 8693) or ask about them (RFC 7662): it answers as each row wants it to. */
export class FormEndpoint {
  /** Makes the next answer from the posted form. @type {(form: URLSearchParams) => FormAnswer | Promise<FormAnswer>} */
  answer = () => ({ body: '{}' });

  /** `path`: where it is. */
  static async open(path) {
    const endpoint = new FormEndpoint();
    const { url, close } = await startLoopback(async ({ body: form }) => {
      const { body, headers, ...answer } = await endpoint.answer(new URLSearchParams(form.toString()));
      return { ...answer, text: body, headers: { 'content-type': 'application/json', ...headers } };
    });
    return Object.assign(endpoint, { url: url + path, close });
  }
}

export function bearer(token) {
  return { authorization: `Bearer ${token}` };
}
