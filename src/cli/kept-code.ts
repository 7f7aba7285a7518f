/**
 * Compiled code of a large module, kept from one run to the next: TypeScript's own takes a tenth of a compilation of functions.
 * Node 22.8 and later do this for every module (`module.enableCompileCache`).
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The check value behind the code, in bytes. */
const CHECK = 4;

/**
 * The exports of a CommonJS file. What V8 compiled of it is written beside it when the process ends, for the next run of the same
 * Node; in a folder that can't be written to, each run compiles it anew. `NODE_DISABLE_COMPILE_CACHE` turns that off.
 */
export function requireKept(url: URL, nodeKeeps = 'enableCompileCache' in module): unknown {
  const file = fileURLToPath(url);
  if (nodeKeeps || process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined)
    return createRequire(url)(file) as unknown;
  const place = `${file}.${process.version}-${process.arch}.kept`;
  const source = readFileSync(file);
  const kept = readKept(place, source);
  const script = new Script(wrapped(source.toString()), {
    filename: file,
    ...(kept === undefined ? {} : { cachedData: kept }),
  });
  const isNew = kept === undefined || script.cachedDataRejected === true;
  if (isNew) process.once('exit', () => keep(place, script.createCachedData(), source));
  return run(script, file);
}

/** As Node wraps a CommonJS module, on one line with its first, so that positions stay. */
function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
}

type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: object,
  file: string,
  folder: string,
) => void;

function run(script: Script, file: string): unknown {
  const own = { exports: {} as unknown };
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(own.exports, createRequire(file), own, file, dirname(file));
  return own.exports;
}

/** V8 checks that the code is its own and for a text of that length; not that it is for this text, and whole. */
function readKept(place: string, source: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(place);
    const code = bytes.subarray(0, -CHECK);
    return bytes.length > CHECK && bytes.readUInt32LE(code.length) === crc32(code, crc32(source))
      ? code
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: other runs may be reading. */
function keep(place: string, code: Buffer, source: Buffer): void {
  const draft = `${place}.${process.pid}`;
  const check = Buffer.alloc(CHECK);
  check.writeUInt32LE(crc32(code, crc32(source)));
  try {
    writeFileSync(draft, Buffer.concat([code, check]), { flag: 'wx' });
    renameSync(draft, place);
  } catch {
    rmSync(draft, { force: true });
  }
}
