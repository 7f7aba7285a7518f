/** What a page of another origin tries on the server of the page; test/preview/server.test.ts sends what no browser does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { networkInterfaces } from 'node:os';

import { startLoopback } from '../../../fixtures/upstreams/loopback.mjs';

const EDIT = JSON.stringify({ edits: [{ kind: 'surface', surface: 'search' }] });

/** A page of another server on this host, in the same browser: what each attempt of its script comes to, and the cookies it got. */
async function attemptFromOtherPort(context, origin, hostname) {
  const { url, requests, close } = await startLoopback(() => ({
    headers: { 'content-type': 'text/html' },
    text: '<!doctype html><title>other</title>',
  }));
  const page = await context.newPage();
  try {
    await page.goto(url.replace('127.0.0.1', hostname));
    const attempts = await page.evaluate(attempt, { origin, edit: EDIT });
    return { ...attempts, sent: requests.map(({ headers }) => headers.cookie ?? '').join('') };
  } finally {
    await page.close();
    await close();
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
  // An empty frame is the page's own.
  await load(frame, '/');
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

export const attackChecks = {
  'a page of another port reads and changes nothing': async ({ origin, context, page }) => {
    const surface = () =>
      page.evaluate(async () => {
        const authorization = `Bearer ${sessionStorage.getItem('mcpgen-preview')}`;
        return (await fetch('/api/surface', { headers: { authorization } })).text();
      });
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
  'a reload keeps the secret; another tab has none': async ({ origin, context, page }) => {
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
  'only this machine reaches the server': async ({ origin }) => {
    const { port } = new URL(origin);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others) {
      const socket = net.connect(Number(port), address);
      const connected = once(socket, 'connect', { signal: AbortSignal.timeout(2000) });
      await assert.rejects(connected, undefined, `${address} is served`);
      socket.destroy();
    }
  },
};
