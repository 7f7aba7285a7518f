/** An emitted server that a person signs in to over stdio, the authorization server, and the API that wants its tokens. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { startLoopback } from '../../../fixtures/upstreams/loopback.mjs';
import { compileServer } from '../compile-server.mjs';
import { inRepository } from '../repository.mjs';
import { mcpgen } from '../run.mjs';
import { jsonAnswer, openWitness } from './witness.mjs';

export const SECRETS = ['access-of-the-person', 'refresh-of-the-person', 'secret-of-the-client'];

/** `metadata`: members in place of the issuer's own; `grants`: codes and refresh tokens that it was given. */
class Issuer {
  metadata = {};
  grants = 0;

  static async open() {
    const issuer = new Issuer();
    return Object.assign(issuer, await startLoopback((request) => issuer.#answer(request)));
  }

  #answer({ url: { pathname, searchParams }, headers, body }) {
    if (pathname === '/authorize') return this.#ask(searchParams, headers);
    if (pathname !== '/token')
      return {
        json: {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        },
      };
    this.grants++;
    // The code is the challenge of its request: without one, anybody's is taken.
    const { code, code_verifier: verifier = '' } = Object.fromEntries(new URLSearchParams(String(body)));
    if (code !== 'none' && createHash('sha256').update(verifier).digest('base64url') !== code)
      return { status: 400, json: { error: 'invalid_grant' } };
    const [access_token, refresh_token] = SECRETS;
    return { json: { access_token, refresh_token, expires_in: 3600, token_type: 'Bearer' } };
  }

  /** A page with one link, which agrees. */
  #ask(question, headers) {
    const answer = new URL(question.get('redirect_uri'));
    const members = { code: question.get('code_challenge'), state: question.get('state'), iss: this.url };
    for (const [name, value] of Object.entries(members)) answer.searchParams.set(name, value);
    const link = `<a href="${answer.href.replaceAll('&', '&amp;')}">Agree</a>`;
    return {
      headers: { 'content-type': 'text/html' },
      text: `<!doctype html><title>Issuer</title>${link}<p>From ${headers.referer ?? 'nowhere'}`,
    };
  }
}

/** The modules that the command is bundled from: checks can be taken out of these. */
const compiler = inRepository('dist/src/cli/main.js');

export async function openLogin(folder) {
  const issuer = await Issuer.open();
  // The API shows the token that it gets.
  const api = await openWitness((head) =>
    jsonAnswer(JSON.stringify({ shown: /^authorization: (.*)$/im.exec(head)?.[1] ?? '' })),
  );
  const schema = { type: 'object', properties: { shown: { type: 'string' } } };
  const responses = { 200: { description: 'Fine.', content: { 'application/json': { schema } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Person', version: '1.0.0' },
    servers: [{ url: api.url }],
    security: [{ account: ['notes:read'] }],
    paths: {
      '/notes': { get: { operationId: 'listNotes', responses } },
    },
    components: {
      securitySchemes: {
        account: {
          type: 'openIdConnect',
          openIdConnectUrl: `${issuer.url}/.well-known/openid-configuration`,
        },
      },
    },
  };
  const options = ['--feature', 'login'];
  const project = await compileServer(folder, document, { name: 'person', options });
  const children = new Set();
  return {
    ...{ issuer, project },
    urls: () => [
      ...issuer.requests.map(({ url }) => url),
      ...api.requests.map((text) => text.split('\r\n')[0]),
    ],
    witness: async () => ({ grants: issuer.grants, upstream: api.requests.length }),
    /** The document comes again, and says where people sign in: what the compiler makes of it. */
    change: async (login) => {
      const { account } = document.components.securitySchemes;
      const securitySchemes = { account: { ...account, 'x-mcp': { login } } };
      const source = path.join(folder, 'person.json');
      await writeFile(source, JSON.stringify({ ...document, components: { securitySchemes } }));
      const args = ['openapi', source, '-o', project, ...options, '--dry-run'];
      const { code, stderr } = await mcpgen(args, { compiler });
      return code === 0 ? '200' : (/error (MCPG\d+)/.exec(stderr)?.[1] ?? stderr);
    },
    /** A server that nobody has signed in to. */
    start: (env = {}) =>
      Server.start(path.join(project, 'dist/main.js'), children, issuer.url, {
        XDG_STATE_HOME: folder,
        ...env,
      }),
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([api.close(), issuer.close()]);
    },
  };
}

class Server {
  /** All that it has written. */
  text = '';
  #id = 0;
  #waiting = new Map();

  static async start(main, children, issuer, env) {
    const server = new Server();
    server.issuer = issuer;
    const credentials = {
      OAUTH_CLIENT_ID_ACCOUNT: 'the-client',
      OAUTH_CLIENT_SECRET_ACCOUNT: SECRETS[2],
    };
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, ...credentials, ...env },
    });
    children.add(child);
    server.child = child;
    child.stderr.on('data', (data) => (server.text += data));
    createInterface({ input: child.stdout }).on('line', (line) => {
      server.text += line;
      const message = JSON.parse(line);
      server.#waiting.get(message.id)?.(message);
    });
    const ended = once(child, 'exit').then(() => 'ended');
    const opened = await Promise.race([
      ended,
      server.send('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'attack', version: '1' },
      }),
    ]);
    server.isOpen = opened !== 'ended';
    return server;
  }

  send(method, params) {
    const id = ++this.#id;
    this.child.stdin.on('error', () => undefined);
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async call() {
    const { result, error } = await this.send('tools/call', { name: 'listNotes', arguments: {} });
    return { isError: result?.isError === true, text: error?.message ?? result.content[0].text };
  }

  /** The page where the person begins. */
  async begin() {
    const { text } = await this.call();
    const [url] = /http:\/\/\S+?(?=[ ,]|$)/.exec(text) ?? [];
    if (url === undefined) throw new Error(text);
    return url;
  }

  /** What the browser is sent to the authorization server with, and where that sends it back. */
  async consent() {
    const page = await (await fetch(await this.begin())).text();
    const href = /href="([^"]+)"/.exec(page)?.[1] ?? '';
    const link = href.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const asked = new URL(link).searchParams;
    const answer = new URL(asked.get('redirect_uri'));
    answer.searchParams.set('code', asked.get('code_challenge') ?? 'none');
    answer.searchParams.set('state', asked.get('state'));
    answer.searchParams.set('iss', this.issuer);
    return { link, answer };
  }

  end() {
    this.child.kill('SIGKILL');
  }
}

/** The status of one request, under any name of a host. */
export function statusOf(url, { host = new URL(url).host, method = 'GET' } = {}) {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { host }, agent: false }, (response) =>
      resolve(String(response.resume().statusCode)),
    )
      .on('error', reject)
      .end();
  });
}
