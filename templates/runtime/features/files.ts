// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `--files`: a folder of files that calls may send, as `file:<path>`, and where large binary answers are saved. Also downloads that an API keeps elsewhere. */
import fs from 'node:fs';
import type { Agent } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AnswerReader } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { writeBinary, writeTextOrFile } from './bytes.ts';
import { isPublicAddress } from './public-address.ts';
import { ownMember } from '../json-rpc.ts';
import { type ApiRequest, essence, type GivenBytes, isJsonType, type ReadBytes } from '../request.ts';
import type { ApiResponse } from '../send.ts';
import type { Server } from '../server.ts';
import { getSetting, parseInteger } from '../settings.ts';
import { ToolError, UsageError } from '../types.ts';
import { resolveFromWorkingFolder } from './working-folder.ts';

const FILE_BYTES = 'API_FILE_BYTES';
/** Of a file that is sent: it is read at once. */
const SENT_BYTES = 64 * 1024 * 1024;
/** A longer answer is saved. */
const INLINE_BYTES = 1024 * 1024;

interface Folder {
  /** Undefined: calls may send no file, and none is saved. */
  root: string | undefined;
  fileBytes: number;
}

export function files(): Feature {
  let folder: Folder = { root: undefined, fileBytes: 0 };
  return {
    name: 'transfers',
    settings: [
      {
        flag: 'files',
        value: 'folder',
        variable: 'MCP_FILES_ROOT',
        help: 'Files that calls may send, as file:<path>; large binary answers are saved there.',
      },
      { variable: FILE_BYTES, help: 'Bytes of one file that is sent or saved.', default: '1073741824' },
    ],
    catalog: { select: (_, server) => void (folder = readFolder(server)) },
    instructions: () =>
      folder.root &&
      "Where a tool takes bytes (base64 or a data: URI), file:<path> names a file in this server's files folder instead.",
    startLine: () => {
      const { root } = folder;
      const isWholeDisk = root !== undefined && path.dirname(root) === root;
      return (
        root &&
        `files: ${root}${isWholeDisk ? ' (every file of this machine, keys and tokens among them)' : ''}`
      );
    },
    parts: {
      bodies: { binary: writeBinary, text: writeTextOrFile },
      bytes: { file: ((argument, value) => readFile(argument, String(value), folder)) satisfies ReadBytes },
      answers: { files: ((answer, use) => saveAnswer(answer, use, folder)) satisfies AnswerReader },
    },
  };
}

function readFolder({ flags, env }: Server): Folder {
  const { name, value } = getSetting(flags, env, 'files', 'MCP_FILES_ROOT');
  const fileBytes = parseInteger({ name: FILE_BYTES, value: env[FILE_BYTES] || undefined }, 1) ?? 1024 ** 3;
  if (value === undefined) return { root: undefined, fileBytes };
  const place = resolveFromWorkingFolder(name, value);
  try {
    const root = fs.realpathSync(place);
    if (fs.statSync(root).isDirectory()) return { root, fileBytes };
  } catch {
    // Said below.
  }
  throw new UsageError(`${name} must be a folder that can be read, not ${value}.`);
}

// Files that are sent.

/** Opens without waiting for a pipe, and follows no link: the path has none after `realpath`. */
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function readFile(argument: string, uri: string, { root, fileBytes }: Folder): GivenBytes {
  const refuse = (reason: string): ToolError => new ToolError(`Argument "${argument}" ${reason}`);
  if (root === undefined)
    throw refuse(
      'names a file, and this server may not read files: give the bytes as base64 or as a data: URI. Whoever runs the server allows ' +
        'a folder with --files <folder> or MCP_FILES_ROOT.',
    );
  const given = pathOf(uri);
  if (given === undefined)
    throw refuse('names no file. Give file:<path in the files folder>, such as file:photos/cat.png.');
  const fail = (reason: string): ToolError => refuse(`names the file ${given}, which ${reason}.`);
  let file: number | undefined;
  try {
    const candidate = path.resolve(root, given);
    // Refused before it is touched: nobody learns whether a file outside exists.
    if (!isInside(candidate, root) || fs.realpathSync(root) !== root) throw fail(OUTSIDE);
    const place = fs.realpathSync(candidate);
    if (!isInside(place, root)) throw fail(OUTSIDE);
    file = fs.openSync(place, FLAGS);
    // A folder may be exchanged for a link at any time, so the place of the open file decides.
    if (!isInside(placeOfOpenFile(file, place), root)) throw fail(OUTSIDE);
    const stats = fs.fstatSync(file);
    if (!stats.isFile())
      throw fail(stats.isDirectory() ? 'is a folder; name a file in it' : 'is no regular file');
    const limit = Math.min(fileBytes, SENT_BYTES);
    if (stats.size > limit)
      throw fail(
        `has ${stats.size} bytes, more than the ${limit} that may be sent (${FILE_BYTES}, at most ${SENT_BYTES})`,
      );
    const name = path.basename(place);
    return {
      bytes: fs.readFileSync(file),
      name,
      mediaType: ownMember(TYPES, path.extname(name).slice(1).toLowerCase()),
    };
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown;
    const { code = 'unknown reason' } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fail(`can't be read (${code})`);
    throw fail('does not exist in the files folder; give a path relative to that folder');
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

const OUTSIDE = 'lies outside the files folder; give a path relative to it, of a file in it';

/** `file://` is a URL (RFC 8089); `file:` alone precedes a path as it is written. */
function pathOf(uri: string): string | undefined {
  try {
    const given = /^file:\/\//i.test(uri) ? fileURLToPath(uri) : uri.slice('file:'.length);
    return given === '' || given.includes('\0') ? undefined : given;
  } catch {
    return undefined;
  }
}

function isInside(place: string, folder: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Linux knows the path of an open file; elsewhere the path must still lead to the same file. `/` stands for none. */
function placeOfOpenFile(file: number, place: string): string {
  const real =
    process.platform === 'linux' ? fs.readlinkSync(`/proc/self/fd/${file}`) : fs.realpathSync(place);
  const [opened, named] = [fs.fstatSync(file, { bigint: true }), fs.statSync(real, { bigint: true })];
  return opened.dev === named.dev && opened.ino === named.ino ? real : path.parse(real).root;
}

/** Extension → media type, of files that APIs often take. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  zip: 'application/zip',
};

// Answers that are saved.

const TEXT =
  /^text\/|[/+](?:x-)?(?:xml|yaml|javascript|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/;

/** Code and resources get the bytes. */
function saveAnswer(
  ...[{ headers, chunks, status }, { call, request, redact }, { root, fileBytes }]: [
    ...Parameters<AnswerReader>,
    Folder,
  ]
): Promise<Partial<ApiResponse>> | undefined {
  const type = essence(headers['content-type'] ?? '');
  const isForClient = call.kind === 'tool' && call.origin === 'client' && request.method !== 'HEAD';
  if (root === undefined || !isForClient || status === 204) return undefined;
  if (type === '' || TEXT.test(type) || isJsonType(type)) return undefined;
  const saved = new SavedFile(root, () => redact(nameOf(request.url, headers)), fileBytes);
  return saved.read(chunks).then(
    (body): Partial<ApiResponse> => (body === undefined ? { content: saved.link(type) } : { body }),
    (thrown: unknown) => {
      saved.remove();
      throw thrown;
    },
  );
}

/** A short answer stays in memory, a longer one becomes a new file. */
class SavedFile {
  readonly #root: string;
  readonly #makeName: () => string;
  readonly #most: number;
  #file: number | undefined;
  #place = '';
  #size = 0;

  constructor(root: string, makeName: () => string, most: number) {
    this.#root = root;
    this.#makeName = makeName;
    this.#most = most;
  }

  /** Undefined once it is a file. */
  async read(chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
    const waiting: Buffer[] = [];
    for await (const chunk of chunks) {
      this.#size += chunk.length;
      if (this.#size > this.#most)
        throw new ToolError(
          `The answer is longer than the ${this.#most} bytes that one file may have (${FILE_BYTES}).`,
        );
      waiting.push(chunk);
      if (this.#size <= INLINE_BYTES) continue;
      this.#write(Buffer.concat(waiting.splice(0)));
    }
    if (this.#file === undefined) return Buffer.concat(waiting);
    fs.closeSync(this.#file);
    return undefined;
  }

  #write(bytes: Buffer): void {
    try {
      this.#file ??= this.#create();
      for (let at = 0; at < bytes.length;) at += fs.writeSync(this.#file, bytes, at);
    } catch (thrown) {
      if (thrown instanceof ToolError) throw thrown;
      const { code = 'unknown reason' } = thrown as NodeJS.ErrnoException;
      throw new ToolError(`The answer could not be saved in the files folder (${code}).`);
    }
  }

  /** `wx` neither overwrites nor writes through a link. */
  #create(): number {
    const exchanged = new ToolError('The answer could not be saved: the files folder was exchanged.');
    if (fs.realpathSync(this.#root) !== this.#root) throw exchanged;
    const name = this.#makeName();
    const { name: stem, ext } = path.parse(name);
    for (let count = 1; count <= 1_000; count++) {
      const place = path.join(this.#root, count === 1 ? name : `${stem}-${count}${ext}`);
      try {
        const file = fs.openSync(place, 'wx', 0o600);
        [this.#file, this.#place] = [file, place];
        if (path.dirname(placeOfOpenFile(file, place)) === this.#root) return file;
        this.#place = fs.readlinkSync(`/proc/self/fd/${file}`);
        throw exchanged;
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
      }
    }
    throw new ToolError(`The answer could not be saved: the files folder is full of files like ${name}.`);
  }

  link(mimeType: string): NonNullable<ApiResponse['content']> {
    const name = path.basename(this.#place);
    const description = `Saved in the files folder of this server. A tool that takes bytes takes it as file:${name}`;
    const uri = pathToFileURL(this.#place).href;
    return { type: 'resource_link', uri, name, description, mimeType, size: this.#size };
  }

  /** Nothing is left of an answer that breaks off. */
  remove(): void {
    if (this.#file === undefined) return;
    fs.closeSync(this.#file);
    fs.rmSync(this.#place, { force: true });
  }
}

/** By `Content-Disposition` (RFC 6266, RFC 8187), else the last segment of the path; safe on any system. */
function nameOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const disposition = headers['content-disposition'] ?? '';
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const segment = url.pathname.split('/').findLast((one) => one !== '') ?? '';
  const given = extended ?? quoted?.replace(/\\(.)/g, '$1') ?? token;
  const decoded = given === undefined || given === extended ? percentDecode(given ?? segment) : given;
  // Without folders, invisible characters, what file systems refuse, and outer dots; not a device of Windows.
  const last =
    decoded
      .replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const plain = last.replace(/[\0-\x1F\x7F-\x9F<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  const safe = (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain) || 'download';
  const extension = /\.[A-Za-z\d]{1,8}$/.exec(safe)?.[0] ?? '';
  // File systems allow 255 bytes.
  const stem = safe
    .slice(0, safe.length - extension.length)
    .slice(0, 60)
    .replace(/[\uD800-\uDBFF]$/, '');
  const type = essence(headers['content-type'] ?? '');
  const usual = Object.entries(TYPES).findLast(([, one]) => one === type)?.[0];
  const direct = /^(?:image|audio|video|font)\/(?:x-)?([a-z\d]{2,5})$/.exec(type)?.[1];
  return stem + (extension || `.${usual ?? direct ?? 'bin'}`);
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Downloads from elsewhere: a GET is followed to another public origin. No API sends this server into its own network or to a metadata service.

const REDIRECTS = 5;
/** Any other header may hold a credential. */
const HARMLESS = ['accept', 'accept-encoding'];

/** @param allows says whether an address may be connected to */
export function redirects({
  allows = isPublicAddress,
}: { allows?: (address: string) => boolean } = {}): Feature {
  const agents = new Map<string, Agent>();
  // Connections that are checked are not shared with others.
  const openAgent = async (protocol: string): Promise<Agent> => {
    const { lookup } = await import('node:dns');
    const { Agent: NewAgent } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
    // A name is judged where the connection is made, so that it can't resolve to another address in between.
    const guardedLookup: LookupFunction = (name, options, done) =>
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const refused = addresses?.find(({ address }) => !allows(address));
        const [first] = addresses ?? [];
        if (error !== null || first === undefined) done(error ?? new Error(`${name} has no address`), []);
        else if (refused !== undefined) done(refusal(name), []);
        else if (options.all === true) done(null, addresses);
        else done(null, first.address, first.family);
      });
    const agent = agents.get(protocol) ?? new NewAgent({ lookup: guardedLookup });
    agents.set(protocol, agent);
    return agent;
  };
  const follow = async (
    first: ApiRequest,
    request: ApiRequest,
    { status, headers }: ApiResponse,
  ): Promise<ApiRequest | undefined> => {
    const { method, url } = request;
    const { location = '' } = headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && URL.canParse(location, url.href);
    if (!isRedirect || !/^(?:GET|HEAD)$/.test(method)) return undefined;
    const target = new URL(location, url);
    // Within the first origin the core follows.
    if ((target.origin === url.origin && request === first) || !/^https?:$/.test(target.protocol))
      return undefined;
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    // `lookup` is not asked for an address.
    if (isIP(host) !== 0 && !allows(host)) return undefined;
    const harmless = new Map([...request.headers].filter(([name]) => HARMLESS.includes(name)));
    const agent = await openAgent(target.protocol);
    return { ...request, url: target, template: undefined, headers: harmless, body: undefined, agent };
  };
  return {
    name: 'redirects',
    aroundSend: async (_, first, next) => {
      let request = first;
      for (let count = 0; ; count++) {
        const answer = await next(request);
        const following = await follow(first, request, answer);
        if (following === undefined) {
          // The core would take it for an answer of the first origin, and follow it there with all credentials.
          if (request !== first) delete answer.headers['location'];
          return answer;
        }
        if (count >= REDIRECTS) throw new ToolError(`The API redirected more than ${REDIRECTS} times.`);
        request = following;
      }
    },
  };
}

function refusal(host: string): ToolError {
  return new ToolError(
    `The API redirected to ${host}, which is not public, so that was not followed. Check API_BASE_URL.`,
  );
}
