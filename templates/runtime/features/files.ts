// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `--files`: a folder of files that calls may send, as `file:<path>`, and where large binary answers are saved. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AnswerReader } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { decodePercent, essence, isJsonType, isTextType } from '../request.ts';
import type { ApiResponse } from '../send.ts';
import type { Server } from '../server.ts';
import { getSetting, parseInteger } from '../settings.ts';
import { ToolError, UsageError } from '../types.ts';
import type { GivenBytes, ReadBytes } from './bytes.ts';
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
    name: 'files',
    settings: [
      {
        flag: 'files',
        value: 'folder',
        variable: 'MCP_FILES_ROOT',
        help: 'Files that calls may send, as file:<path>; large binary answers are saved there.',
      },
      { variable: FILE_BYTES, help: 'Bytes of one file that is sent or saved.', default: '1073741824' },
    ],
    catalog: {
      select: (_, server) => {
        folder = readFolder(server);
        if (folder.root !== undefined)
          server.instructions.push(
            "Where a tool takes bytes (base64 or a data: URI), file:<path> names a file in this server's files folder instead.",
          );
      },
    },
    startLine: () => folder.root && `files: ${folder.root}`,
    parts: {
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
  if (type === '' || isTextType(type) || isJsonType(type)) return undefined;
  return collect(chunks, fileBytes, type, () => createFile(root, redact(nameOf(request.url, headers))));
}

interface OpenFile {
  file: number;
  place: string;
}

/** A short answer stays in memory, a longer one becomes a new file. */
async function collect(
  chunks: AsyncIterable<Buffer>,
  fileBytes: number,
  mimeType: string,
  create: () => OpenFile,
): Promise<Partial<ApiResponse>> {
  const waiting: Buffer[] = [];
  let size = 0;
  let saved: OpenFile | undefined;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > fileBytes)
        throw new ToolError(
          `The answer is longer than the ${fileBytes} bytes that one file may have (${FILE_BYTES}).`,
        );
      waiting.push(chunk);
      if (size <= INLINE_BYTES) continue;
      saved ??= create();
      fs.writeFileSync(saved.file, Buffer.concat(waiting.splice(0)));
    }
  } catch (thrown) {
    // Nothing is left of an answer that breaks off.
    if (saved !== undefined) fs.rmSync(saved.place, { force: true });
    const { code = '', syscall } = thrown as NodeJS.ErrnoException;
    const isOfDisk = syscall === 'write' || syscall === 'open';
    throw isOfDisk ? new ToolError(`The answer could not be saved in the files folder (${code}).`) : thrown;
  } finally {
    if (saved !== undefined) fs.closeSync(saved.file);
  }
  if (saved === undefined) return { body: Buffer.concat(waiting) };
  const name = path.basename(saved.place);
  const description = `Saved in the files folder of this server. A tool that takes bytes takes it as file:${name}`;
  const uri = pathToFileURL(saved.place).href;
  return { content: { type: 'resource_link', uri, name, description, mimeType, size } };
}

/** `wx` neither overwrites nor writes through a link. */
function createFile(root: string, name: string): OpenFile {
  const exchanged = new ToolError('The answer could not be saved: the files folder was exchanged.');
  if (fs.realpathSync(root) !== root) throw exchanged;
  const { name: stem, ext } = path.parse(name);
  for (let count = 1; count <= 1_000; count++) {
    const place = path.join(root, count === 1 ? name : `${stem}-${count}${ext}`);
    let file: number;
    try {
      file = fs.openSync(place, 'wx', 0o600);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw thrown;
    }
    if (path.dirname(placeOfOpenFile(file, place)) === root) return { file, place };
    fs.closeSync(file);
    fs.rmSync(place, { force: true });
    throw exchanged;
  }
  throw new ToolError(`The answer could not be saved: the files folder is full of files like ${name}.`);
}

/** By `Content-Disposition` (RFC 6266, RFC 8187), else the last segment of the path; safe on any system. */
function nameOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const disposition = headers['content-disposition'] ?? '';
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const segment = url.pathname.split('/').findLast((one) => one !== '') ?? '';
  const plainName = quoted?.replace(/\\(.)/g, '$1') ?? token;
  const name =
    extended === undefined && plainName !== undefined ? plainName : decodePercent(extended ?? segment);
  // Without folders, invisible characters, what file systems refuse, and outer dots; not a device of Windows.
  const visible = name.replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').replace(/^.*[\\/]/s, '');
  const plain = visible.replace(/[\0-\x1F\x7F-\x9F<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  const safe = (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain) || 'download';
  // File systems allow 255 bytes.
  const [, stem = '', extension] = /^(.*?)(\.[A-Za-z\d]{1,8})?$/s.exec(safe) ?? [];
  const short = [...stem].slice(0, 60).join('');
  const type = essence(headers['content-type'] ?? '');
  const usual = Object.entries(TYPES).findLast(([, one]) => one === type)?.[0];
  return short + (extension ?? `.${usual ?? 'bin'}`);
}
