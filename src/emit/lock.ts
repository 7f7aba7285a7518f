/**
 * `mcpgen.lock`: which files are ours and what they held, and the names given, so that later runs keep them.
 * `src/write` compares the disk with it; `deriveServer` takes its names.
 */
import { createHash } from 'node:crypto';
import type { Binding } from '../../templates/runtime/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import { isSafePath } from './claim-paths.ts';
import type { GeneratedFile } from './generated-file.ts';

export const lockPath = 'mcpgen.lock';

/** The format this compiler writes. It reads no newer one. */
export const lockFormat = 2;

/** The file that is merged key by key with what its user has made of it. */
export const packagePath = 'package.json';

export interface Lock {
  format: number;
  /** Version of the compiler that wrote the project. */
  compiler: string;
  /** Operation key (`GET /pets/{petId}`, of one of several APIs `PETS GET /pets/{petId}`) → tool name. */
  names: Record<string, string>;
  /** Path → `sha256-<hex>` of each generated file. The lock itself, `once` and `built` files are not in it. */
  files: Record<string, string>;
  /** Generated files that a person has taken over: path → hash of the generated text that the person's file takes account of. */
  owned?: Record<string, string>;
  /** What `package.json` held as it was generated: the base of a merge. */
  package?: Record<string, unknown>;
}

export function printLock(model: ServerModel, compiler: string, files: GeneratedFile[]): GeneratedFile {
  const generated = files.filter(({ ownership }) => ownership === 'generated');
  const manifest = parseObject(files.find(({ path }) => path === packagePath)?.contents ?? '');
  const lock: Lock = {
    format: lockFormat,
    compiler,
    names: Object.fromEntries(model.tools.map(({ name, binding }) => [operationKey(binding), name])),
    files: Object.fromEntries(
      generated.map(({ path, contents, hash }) => [path, hash ?? hashContents(contents)]),
    ),
    ...(manifest === undefined ? {} : { package: manifest }),
  };
  return lockFile(lock);
}

/** The lock that was emitted, with the files that a person has taken over. */
export function withOwned(file: GeneratedFile, owned: Record<string, string>): GeneratedFile {
  const lock = parseLock(file.contents);
  if (lock === undefined || Object.keys(owned).length === 0) return file;
  const { package: manifest, ...rest } = lock;
  return lockFile({ ...rest, owned, ...(manifest === undefined ? {} : { package: manifest }) });
}

function lockFile(lock: Lock): GeneratedFile {
  return { path: lockPath, contents: `${JSON.stringify(lock, undefined, 2)}\n`, ownership: 'generated' };
}

/** What a tool's name is remembered by. */
export function operationKey(binding: Binding): string {
  return binding.kind === 'http'
    ? `${binding.api === undefined ? '' : `${binding.api} `}${binding.method} ${binding.path}`
    : `${binding.module}#${binding.export}${binding.method === undefined ? '' : `.${binding.method}`}`;
}

/** Git may turn `\n` into `\r\n` on checkout; that is not an edit. */
export function hashContents(contents: string): string {
  const text = contents.includes('\r') ? contents.replaceAll('\r\n', '\n') : contents;
  // Hashing bytes is several times faster than hashing text.
  return `sha256-${createHash('sha256').update(Buffer.from(text)).digest('hex')}`;
}

/** Reads a lock's text; `undefined` when it is none. Of a newer format only `format` counts. */
export function parseLock(text: string): Lock | undefined {
  const value = parseObject(text);
  if (value === undefined || typeof value['format'] !== 'number') return undefined;
  const { format, compiler, names, files, owned, package: manifest } = value;
  if (format > lockFormat) return { format, compiler: '', names: {}, files: {} };
  if (typeof compiler !== 'string' || !isTexts(names) || !isTexts(files)) return undefined;
  // Files it lists may be removed: an edited lock must not reach out of the project.
  if (!Object.keys(files).every(isSafePath)) return undefined;
  if (owned !== undefined && !isTexts(owned)) return undefined;
  if (manifest !== undefined && !isObject(manifest)) return undefined;
  return {
    format,
    compiler,
    names,
    files,
    ...(owned === undefined ? {} : { owned }),
    ...(manifest === undefined ? {} : { package: manifest }),
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((member) => typeof member === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
