/** Authorization servers of the attacks: their metadata, their keys, and what they sign; honest ones and liars. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Whom tokens are for. */
export const AUDIENCE = 'https://mcp.test/mcp';

/** From now, in seconds since 1970. */
export function seconds(fromNow) {
  return Math.floor(Date.now() / 1000) + fromNow;
}

export async function newKey(kid, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export class Issuer {
  /** What it says its keys are. */
  keys = [];
  /** The paths that were asked for. */
  asked = [];
  /** Answers by 500 while set. */
  isDown = false;

  /** @param {Record<string, unknown>} [lies] what its metadata say in place of the truth */
  static async open(lies = {}) {
    const issuer = new Issuer(await newKey('first'), lies);
    issuer.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => issuer.server.once('listening', resolve));
    issuer.url = `http://127.0.0.1:${issuer.server.address().port}`;
    return issuer;
  }

  constructor(key, lies) {
    this.key = key;
    this.keys = [key.publicJwk];
    this.lies = lies;
    this.server = createServer((request, response) => {
      const [status, json] = this.#answer(request.url);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  }

  #answer(path) {
    this.asked.push(path);
    if (this.isDown) return [500, {}];
    if (path === '/jwks') return [200, { keys: this.keys }];
    if (path !== '/.well-known/oauth-authorization-server') return [404, {}];
    return [200, { issuer: this.url, jwks_uri: `${this.url}/jwks`, ...this.lies }];
  }

  /** A good token, but for what is given. */
  token(claims = {}, header = {}, { kid, alg, privateKey } = this.key) {
    const [exp, iat] = [seconds(100_000), seconds(-1)];
    return new SignJWT({ iss: this.url, aud: AUDIENCE, sub: 'alice', exp, iat, scope: 'base', ...claims })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
      .sign(privateKey);
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
