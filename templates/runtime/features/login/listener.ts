// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The pages of a login on this machine: where it begins, and where the authorization server sends the browser back (RFC 8252). */
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomId } from '../../session.ts';
import type { getSetting } from '../../settings.ts';
import { ToolError, UsageError } from '../../types.ts';

export const DEFAULT_REDIRECT = 'http://127.0.0.1/callback';

/** @throws {UsageError} for a place that is not on this machine */
export function readRedirect({ name, value = DEFAULT_REDIRECT }: ReturnType<typeof getSetting>) {
  const place = /^http:\/\/(127\.0\.0\.1|localhost)(?::(\d+))?(?:\/[^?#]*)?$/.exec(value);
  if (place === null || !URL.canParse(value))
    throw new UsageError(`${name} must be like http://127.0.0.1:8976/callback or http://localhost/callback.`);
  const [, hostname = '', port] = place;
  // 0 is any free one.
  return { hostname, port: Number(port ?? 0), path: new URL(value).pathname };
}
export type Redirect = ReturnType<typeof readRedirect>;

export interface Page {
  status?: number;
  title: string;
  text: string;
  link?: { url: string; text: string };
}

/**
 * Other programs of this machine can reach it, and pages of other sites can send browsers to it. Only who has seen `startUrl` can open
 * it: it holds 128 random bits.
 */
export async function openListener(
  { hostname, port, path }: Redirect,
  pages: { start: () => Page; receive: (answer: URLSearchParams) => Promise<Page> },
) {
  const startPath = `/${randomId()}`;
  let base = '';
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    // A name that resolves to this machine must not make its page one of another site (DNS rebinding).
    const isNamed = `http://${headers.host ?? ''}` === base;
    const target = URL.canParse(url, base) ? new URL(url, base) : undefined;
    if (!isNamed || target?.origin !== base) return writePage(response, { ...NOTHING, status: 421 });
    if (method !== 'GET') return writePage(response, { ...NOTHING, status: 405 });
    if (target.pathname === startPath) return writePage(response, pages.start());
    if (target.pathname !== path) return writePage(response, NOTHING);
    void pages.receive(target.searchParams).then((page) => writePage(response, page));
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = ({ code }: NodeJS.ErrnoException): void =>
      reject(new ToolError(`Nobody can sign in: port ${port} of this machine can't be opened (${code}).`));
    server.once('error', refuse).listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://${hostname}:${(server.address() as AddressInfo).port}`;
  // Browsers don't name port 80.
  base = new URL(origin).origin;
  return { startUrl: base + startPath, redirectUri: origin + path, close: () => void server.close() };
}

const NOTHING: Page = { status: 404, title: 'Nothing is here', text: 'The sign-in has another address.' };

const STYLE =
  ':root{color-scheme:light dark;background:Canvas}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1rem}';
const HASH = createHash('sha256').update(STYLE).digest('base64');

function writePage(response: ServerResponse, { status = 200, title, text, link }: Page): void {
  const target =
    link && `<p><a rel="noreferrer" href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>` +
      `<style>${STYLE}</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${target ?? ''}</html>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
