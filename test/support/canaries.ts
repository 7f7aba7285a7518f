/**
 * Secrets that every server of the tests is given, and a look at all that it says: what comes out anywhere fails the file
 * of the test (`canary-setup.ts`).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { decodeOnce } from '../../scripts/lib/spellings.mjs';
import { listSchemeCredentials } from '../../src/emit/wire/wire-calls.ts';
import type { Bindings } from '../../src/model/bindings.ts';

/**
 * In each planted secret, so that one look finds them all. Of characters that JSON of PHP, ASP.NET and Go, URLs, forms, XML and
 * Base64 escape: where a secret is told, it may be told in any of these spellings.
 */
const MARK = 'canary-7f3a91';
const ESCAPED = `/+&<>"'\\é😀`;

/** Values of tests whose names say that they are secret, long enough to be unique. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|AUTHORIZATION/;
const SHORTEST = 8;

export class Canaries {
  readonly #others = new Set<string>();
  readonly #leaks = new Map<string, string>();
  #needles: string[] | undefined;
  readonly #sources: [what: string, textOf: () => string][] = [];

  /** A secret of its own. @param inHeader that it has to be ASCII, as headers of `fetch` must */
  plant(inHeader = false): string {
    const escaped = inHeader ? ESCAPED.replace(/[^\0-\x7f]/gu, '') : ESCAPED;
    return `${MARK}${escaped}${randomBytes(18).toString('hex')}`;
  }

  /** Looks for this one too. */
  add(secret: string): string {
    this.#others.add(secret);
    this.#needles = undefined;
    return secret;
  }

  /** Searches a text that a server sent or wrote. */
  hear(what: string, text: string): void {
    const needles = (this.#needles ??= [MARK, ...this.#others].flatMap(needlesOf));
    for (const reading of readingsOf(text)) {
      const found = needles.find((needle) => reading.includes(needle));
      if (found === undefined) continue;
      this.#leaks.set(what, around(reading, found));
      return;
    }
  }

  /** The same for what is not all there yet: looked at in the end. */
  hearAll(what: string, textOf: () => string): void {
    this.#sources.push([what, textOf]);
  }

  /** Secrets that came out, and where; each is reported once. Forgets the added ones, which are of one file of tests. */
  take(): string[] {
    for (const [what, textOf] of this.#sources.splice(0)) this.hear(what, textOf());
    const leaks = [...this.#leaks].map(([what, text]) => `${what}: …${text}…`);
    this.#leaks.clear();
    this.#others.clear();
    this.#needles = undefined;
    return leaks;
  }
}

/** As it stands, and as bytes are written: in Base64 by where it begins within three of them. */
function needlesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = ['', 'x', 'xx'].map((before) => {
    const written = Buffer.concat([Buffer.from(before), bytes]).toString('base64');
    return written.slice(before === '' ? 0 : 4, Math.floor(written.length / 4) * 4 - 4);
  });
  const url = base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret, bytes.toString('latin1'), bytes.toString('hex'), ...base64, ...url])];
}

/** As it stands, and as those who decode it see it. */
function readingsOf(text: string): string[] {
  const readings = [text];
  for (let next = decodeOnce(text); readings.length < 5 && next !== readings.at(-1); next = decodeOnce(next))
    readings.push(next);
  return [...new Set(readings.flatMap((one) => [one, one.replace(/(?:\\r)?\\n|\r?\n/g, '')]))];
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 80), at + found.length + 20);
}

/** Those of the test file that is running. */
export const canaries = new Canaries();

/** `env`, and secrets beside it: of the server, of the API behind the project in `folder`, and of others on its machine. */
export function planted<T extends Record<string, string | undefined>>(env: T, folder?: string): T {
  for (const [name, value = ''] of Object.entries(env))
    if (SECRET_NAME.test(name) && value.length >= SHORTEST) canaries.add(value);
  const names = ['MCP_STATE_SECRET', 'MCP_TLS_PASSPHRASE', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN'];
  const credentials = folder === undefined ? [] : credentialsOf(folder);
  // A test that gives one decides about all.
  const wanted = credentials.some((name) => name in env) ? [] : credentials;
  const secrets = [...names, ...wanted].map((name) => [name, canaries.plant()]);
  return { ...Object.fromEntries(secrets), ...env };
}

/** The variables by which the project takes credentials that are sent as they stand. */
function credentialsOf(folder: string): string[] {
  const file = join(folder, 'src/generated/bindings.json');
  if (!existsSync(file)) return [];
  const { upstream, upstreams = [] } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Bindings>;
  return [upstream, ...upstreams].flatMap((api) =>
    Object.values(api?.securitySchemes ?? {}).flatMap(listSchemeCredentials),
  );
}

/** What `stream` says, also shown as before. */
export function overhear(what: string, stream: Readable | null): void {
  let text = '';
  stream?.on('data', (chunk: Buffer | string) => {
    text += String(chunk);
    process.stderr.write(chunk);
  });
  canaries.hearAll(what, () => text);
}
