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

/** The header `Authorization` of the page. */
async function authorizationOf(page) {
  return `Bearer ${await page.evaluate(() => sessionStorage.getItem('mcpgen-preview'))}`;
}

/** A page of another server on this host, in the same browser: what each attempt of its script comes to, and the cookies it got. */
async function attemptFromOtherPort(context, origin, hostname) {
  const cookies = [];
  const server = http.createServer(({ headers }, response) => {
    cookies.push(headers.cookie ?? '');
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>other</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await context.newPage();
  try {
    await page.goto(`http://${hostname}:${server.address().port}/`);
    return { ...(await page.evaluate(attempt, { origin, edit: EDIT })), sent: cookies.join('') };
  } finally {
    await page.close();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Runs in the page. Each attempt gives the text that it reads, or why it reads none. */
async function attempt({ origin, edit }) {
  const read = async (path, options) => {
    try {
      const answer = await fetch(`${origin}${path}`, { credentials: 'include', ...options });
      return answer.type === 'opaque' ? 'opaque' : await answer.text();
    } catch {
      return 'refused';
    }
  };
  const load = (element, path) =>
    new Promise((resolve) => {
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('refused');
      element.src = `${origin}${path}`;
      document.body.append(element);
    });
  const frame = document.createElement('iframe');
  frame.src = origin;
  document.body.append(frame);
  const type = 'application/json';
  return {
    get: await read('/api/surface'),
    getWithoutCors: await read('/api/surface', { mode: 'no-cors' }),
    post: await read('/api/propose', { method: 'POST', headers: { 'content-type': type }, body: edit }),
    form: await read('/api/propose', { method: 'POST', mode: 'no-cors', body: edit }),
    session: await read('/api/session', { method: 'POST', mode: 'no-cors', body: '{"token":"x"}' }),
    script: await load(document.createElement('script'), '/page.js'),
    events: await new Promise((resolve) => {
      const events = new EventSource(`${origin}/api/events`, { withCredentials: true });
      events.onopen = () => resolve('opened');
      events.onerror = () => resolve('refused');
    }),
    secret: sessionStorage.getItem('mcpgen-preview') ?? localStorage.getItem('mcpgen-preview'),
    cookie: document.cookie,
    frame: (() => {
      try {
        return frame.contentWindow.sessionStorage.getItem('mcpgen-preview');
      } catch {
        return 'refused';
      }
    })(),
  };
}

const openSession = (origin, body) =>
  send(origin, '/api/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });

const JSON_TYPE = { 'content-type': 'application/json' };
const EDIT = JSON.stringify({ edits: [{ kind: 'surface', surface: 'search' }] });

export const attackChecks = [
  [
    'the policy has no unsafe source, and there is no cookie',
    async ({ origin, context }) => {
      const { headers } = await send(origin, '/');
      const policy = headers['content-security-policy'];
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(headers['cache-control'], /no-store/);
      assert.deepEqual(await context.cookies(), []);
    },
  ],
  ['without the secret nothing is told', ({ origin }) => refused(send(origin, '/api/surface'))],
  [
    'a wrong secret is refused',
    async ({ origin }) => {
      for (const authorization of [`Bearer ${'a'.repeat(43)}`, 'Bearer ', 'Bearer null', ''])
        await refused(send(origin, '/api/surface', { headers: { authorization } }));
    },
  ],
  [
    'the secret is no cookie',
    async ({ origin, page }) => {
      const secret = (await authorizationOf(page)).slice('Bearer '.length);
      for (const name of ['mcpgen-preview', 'authorization', `mcpgen_preview_${new URL(origin).port}`])
        await refused(send(origin, '/api/surface', { headers: { cookie: `${name}=${secret}` } }));
    },
  ],
  [
    'a page of another port reads and changes nothing',
    async ({ origin, context, page }) => {
      const authorization = await authorizationOf(page);
      const surface = async () => (await send(origin, '/api/surface', { headers: { authorization } })).text;
      const before = await surface();
      for (const hostname of ['127.0.0.1', 'localhost'])
        assert.deepEqual(await attemptFromOtherPort(context, origin, hostname), {
          get: 'refused',
          getWithoutCors: 'refused',
          post: 'refused',
          form: 'refused',
          session: 'refused',
          script: 'refused',
          events: 'refused',
          secret: null,
          cookie: '',
          sent: '',
          frame: 'refused',
        });
      assert.equal(await surface(), before);
    },
  ],
  [
    'a reload keeps the secret; another tab has none',
    async ({ origin, context, page }) => {
      await page.reload();
      await page.getByText('Compiling …').waitFor({ state: 'detached' });
      assert.equal((await page.getByRole('alert').allTextContents()).join(), '');
      const other = await context.newPage();
      try {
        await other.goto(origin);
        await other.getByRole('alert').getByText('works once').waitFor();
        assert.equal(await other.evaluate(() => sessionStorage.length), 0);
      } finally {
        await other.close();
      }
    },
  ],
  [
    'the token works once',
    async ({ address, origin }) => {
      const token = new URL(address).searchParams.get('token');
      await refused(openSession(origin, { token }));
    },
  ],
  [
    'a wrong token is refused',
    async ({ origin }) => {
      for (const token of ['wrong', '', null, ['x']]) await refused(openSession(origin, { token }));
    },
  ],
  [
    'another Host is refused (DNS rebinding)',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      for (const host of ['evil.example', 'evil.example:80', '127.0.0.1', 'localhost.evil.example'])
        await refused(send(origin, '/api/surface', { headers: { host, authorization } }));
    },
  ],
  [
    'another Origin is refused',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      for (const from of ['https://evil.example', 'null', `${origin}.evil.example`, 'http://127.0.0.1:1'])
        await refused(
          send(origin, '/api/propose', {
            method: 'POST',
            headers: { ...JSON_TYPE, authorization, origin: from },
            body: EDIT,
          }),
        );
    },
  ],
  [
    'a cross-site request is refused',
    async ({ origin, page }) => {
      const headers = { authorization: await authorizationOf(page), 'sec-fetch-site': 'cross-site' };
      await refused(send(origin, '/api/surface', { headers }));
    },
  ],
  [
    'a form cannot post, since it cannot send the secret',
    async ({ origin }) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
      ])
        await refused(
          send(origin, '/api/propose', {
            method: 'POST',
            headers: { 'content-type': type, origin },
            body: EDIT,
          }),
        );
    },
  ],
  [
    'paths lead to no file',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
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
        await refused(send(origin, path, { headers: { authorization } }));
    },
  ],
  [
    'a huge body is refused',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      const propose = (length) => {
        const edit = { kind: 'tool', name: 'listPets', set: { description: 'x'.repeat(length) } };
        const body = JSON.stringify({ edits: [edit] });
        return send(origin, '/api/propose', {
          method: 'POST',
          headers: { ...JSON_TYPE, authorization, origin },
          body,
        }).catch(closed);
      };
      assert.equal((await propose(1000)).status, 200);
      assert.equal((await propose(20_000_000)).status, 413);
    },
  ],
  [
    'a document outside is not shown by the diff, nor an option of git run',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      for (const against of [
        'document:/etc/passwd',
        'document:../../../../etc/passwd',
        'git:--output=/tmp/x',
        'nothing',
      ])
        await refused(
          send(origin, `/api/diff?against=${encodeURIComponent(against)}`, { headers: { authorization } }),
        );
    },
  ],
  [
    'other methods are refused',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
        await refused(send(origin, '/api/surface', { method, headers: { authorization } }));
      await refused(send(origin, '/api/apply', { headers: { authorization } }));
    },
  ],
  [
    'bodies that are no edit are refused',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      for (const body of [
        '',
        '[]',
        'null',
        '{"edits":1}',
        '{"edits":[{"kind":"tool","name":"__proto__","set":{}}]}',
        '{"edits":[{"kind":"nothing"}]}',
      ])
        await refused(
          send(origin, '/api/propose', {
            method: 'POST',
            headers: { ...JSON_TYPE, authorization, origin },
            body,
          }),
        );
    },
  ],
  [
    'a proposal that was not made cannot be applied, nor undone',
    async ({ origin, page }) => {
      const authorization = await authorizationOf(page);
      const post = (path, body) =>
        send(origin, path, { method: 'POST', headers: { ...JSON_TYPE, authorization, origin }, body });
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
