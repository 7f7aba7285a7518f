/** Authorization servers of the attacks: their metadata, their keys, and what they sign. */
import { KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

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
    const issuer = new Issuer(await newKey('first'));
    issuer.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => issuer.server.once('listening', resolve));
    issuer.url = `http://127.0.0.1:${issuer.server.address().port}`;
    return issuer;
  }

  constructor(key) {
    this.key = key;
    this.server = createServer((request, response) => {
      const [status, answer] = this.#answer(request.url);
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  }

  #answer(path) {
    this.asked.push(path);
    if (path === '/evil') return [200, this.lure];
    if (path === '/jwks') return [200, { keys: [this.key.publicJwk] }];
    if (path !== '/.well-known/oauth-authorization-server') return [404, {}];
    return [200, { issuer: this.url, jwks_uri: `${this.url}/jwks` }];
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

  close() {
    return new Promise((resolve) => {
      this.server.close(resolve).closeAllConnections();
    });
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
    endpoint.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => endpoint.server.once('listening', resolve));
    endpoint.url = `http://127.0.0.1:${endpoint.server.address().port}${path}`;
    return endpoint;
  }

  constructor() {
    this.server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const form = new URLSearchParams(text);
      const { status = 200, headers = {}, body } = await this.answer(form);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  }

  close() {
    return new Promise((resolve) => {
      this.server.close(resolve).closeAllConnections();
    });
  }
}

export function bearer(token) {
  return { authorization: `Bearer ${token}` };
}
