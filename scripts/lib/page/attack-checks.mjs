/** What a page of another origin, or a program without the token, tries on the server of the page. */
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';

/** A request as its sender likes it: `fetch` would correct the headers. */
function send(origin, path, { method = 'GET', headers = {}, body } = {}) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.once('error', reject);
    request.end(body);
  });
}

async function refused(answer) {
  const { status, headers, text } = await answer;
  assert.ok(status >= 400 && status < 500, `${status} ${text.slice(0, 200)}`);
  assert.doesNotMatch(text, /"tools"|root:|listPets/);
  assert.equal(headers['access-control-allow-origin'], undefined);
}

async function cookieOf(context) {
  const cookies = await context.cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EDIT = JSON.stringify({ edits: [{ kind: 'surface', surface: 'search' }] });

export const attackChecks = [
  [
    'the policy has no unsafe source, and the cookie is out of reach',
    async ({ origin, context, page }) => {
      const { headers } = await send(origin, '/', { headers: { cookie: await cookieOf(context) } });
      const policy = headers['content-security-policy'];
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(headers['cache-control'], /no-store/);
      const [cookie] = await context.cookies();
      assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
      assert.equal(await page.evaluate(() => document.cookie), '');
    },
  ],
  ['without the cookie nothing is told', ({ origin }) => refused(send(origin, '/api/surface'))],
  [
    'a wrong cookie is refused',
    async ({ origin, context }) => {
      const [{ name }] = await context.cookies();
      await refused(send(origin, '/api/surface', { headers: { cookie: `${name}=${'a'.repeat(43)}` } }));
    },
  ],
  [
    'the token works once',
    async ({ address, origin }) => {
      const { pathname, search } = new URL(address);
      await refused(send(origin, pathname + search));
    },
  ],
  ['a wrong token is refused', ({ origin }) => refused(send(origin, '/?token=wrong'))],
  [
    'another Host is refused (DNS rebinding)',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const host of ['evil.example', 'evil.example:80', '127.0.0.1', 'localhost.evil.example'])
        await refused(send(origin, '/api/surface', { headers: { host, cookie } }));
    },
  ],
  [
    'another Origin is refused',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const from of ['https://evil.example', 'null', `${origin}.evil.example`, 'http://127.0.0.1:1'])
        await refused(
          send(origin, '/api/propose', {
            method: 'POST',
            headers: { ...JSON_TYPE, cookie, origin: from },
            body: EDIT,
          }),
        );
    },
  ],
  [
    'a cross-site request is refused',
    async ({ origin, context }) => {
      const headers = { cookie: await cookieOf(context), 'sec-fetch-site': 'cross-site' };
      await refused(send(origin, '/api/surface', { headers }));
    },
  ],
  [
    'a form of another site cannot post',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
      ])
        await refused(
          send(origin, '/api/propose', {
            method: 'POST',
            headers: { 'content-type': type, cookie, origin },
            body: EDIT,
          }),
        );
    },
  ],
  [
    'paths lead to no file',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const path of [
        '/../package.json',
        '/%2e%2e/package.json',
        '/..%2fpackage.json',
        '/page.js/../../bin/mcpgen.js',
        '//etc/passwd',
        '/etc/passwd',
        '/page.js%00',
        '/__proto__',
        '/api/__proto__',
        '/api/constructor',
      ])
        await refused(send(origin, path, { headers: { cookie } }));
    },
  ],
  [
    'a huge body is refused',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      const propose = (length) => {
        const edit = { kind: 'tool', name: 'listPets', set: { description: 'x'.repeat(length) } };
        const body = JSON.stringify({ edits: [edit] });
        return send(origin, '/api/propose', {
          method: 'POST',
          headers: { ...JSON_TYPE, cookie, origin },
          body,
        }).catch(closed);
      };
      assert.equal((await propose(1000)).status, 200);
      assert.equal((await propose(20_000_000)).status, 413);
    },
  ],
  [
    'a document outside is not shown by the diff, nor an option of git run',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const against of [
        'document:/etc/passwd',
        'document:../../../../etc/passwd',
        'git:--output=/tmp/x',
        'nothing',
      ])
        await refused(
          send(origin, `/api/diff?against=${encodeURIComponent(against)}`, { headers: { cookie } }),
        );
    },
  ],
  [
    'other methods are refused',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
        await refused(send(origin, '/api/surface', { method, headers: { cookie } }));
      await refused(send(origin, '/api/apply', { headers: { cookie } }));
    },
  ],
  [
    'bodies that are no edit are refused',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      for (const body of [
        '',
        '[]',
        'null',
        '{"edits":1}',
        '{"edits":[{"kind":"tool","name":"__proto__","set":{}}]}',
        '{"edits":[{"kind":"nothing"}]}',
      ])
        await refused(
          send(origin, '/api/propose', { method: 'POST', headers: { ...JSON_TYPE, cookie, origin }, body }),
        );
    },
  ],
  [
    'a proposal that was not made cannot be applied, nor undone',
    async ({ origin, context }) => {
      const cookie = await cookieOf(context);
      const post = (path, body) =>
        send(origin, path, { method: 'POST', headers: { ...JSON_TYPE, cookie, origin }, body });
      await refused(post('/api/apply', '{"proposal":"../../x"}'));
      await refused(post('/api/undo', '{"applied":"1"}'));
    },
  ],
  [
    'only this machine reaches the server',
    async ({ origin }) => {
      const { port } = new URL(origin);
      const { networkInterfaces } = await import('node:os');
      const others = Object.values(networkInterfaces())
        .flat()
        .filter(({ family, internal }) => family === 'IPv4' && !internal);
      for (const { address } of others)
        await assert.rejects(connect(address, Number(port)), undefined, `${address} is served`);
    },
  ],
];

/** A connection that is closed while a body comes in is a refusal too. */
function closed(error) {
  if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
  return { status: 413, headers: {}, text: '' };
}

function connect(host, port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    const fail = (error) => {
      socket.destroy();
      reject(error);
    };
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', fail);
    socket.once('timeout', () => fail(new Error('no answer')));
  });
}
