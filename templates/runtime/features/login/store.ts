// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Tokens in the user's state folder, if `--remember` or `login` asked for it: one file for each login, for this user alone. */
import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeThrown } from '../../results.ts';
import type { Server } from '../../server.ts';
import { randomId } from '../../session.ts';
import { type Env, ToolError } from '../../types.ts';
import { parseObject } from '../issuer-client.ts';
import type { Tokens } from './issuer.ts';

/** Who made an older lock was killed. A process waits longer for one that is at work. */
const LOCK_LIMITS = { staleMs: 20_000, waitMs: 30_000, pauseMs: 25 };

export type Store = ReturnType<typeof openStore>;

/**
 * @param binding what the tokens are for: they count for nothing else
 * @param isKept from the first file on also without `--remember`: the user has asked for it before
 */
export function openStore(server: Server, binding: string, isKept: boolean) {
  const name = server.definition.info.name.replace(/[^\w-]/g, '-');
  const hash = createHash('sha256').update(binding).digest('hex');
  const folder = join(stateFolder(server.env), 'mcpgen-logins');
  const file = join(folder, `${name}-${hash}.json`);
  const draft = `${file}.draft`;
  /** What no file has: nobody asked for one, or it could not be written. */
  let unwritten: Tokens | undefined;
  // A line without a stack: what goes wrong there is no fault of the code.
  const report = (thrown: unknown): void => server.report(describeThrown(thrown));

  /** Other processes may have signed in or out since. An empty or damaged file is none. */
  async function read(): Promise<Tokens | undefined> {
    const text = await readFile(file, 'utf8').catch(() => '');
    const stored = parseObject(text) as Partial<Tokens> | undefined;
    // A file that can't be written again is older.
    if (stored?.until === undefined || stored.until < (unwritten?.until ?? 0)) return unwritten;
    isKept = true;
    unwritten = undefined;
    return stored as Tokens;
  }

  return {
    report,
    read,
    /** A kill leaves the file as it was, or as it will be. */
    async write(tokens: Tokens): Promise<Tokens> {
      unwritten = tokens;
      if (!isKept) return tokens;
      try {
        await rm(draft, { force: true });
        await writeFile(draft, JSON.stringify(tokens), { mode: 0o600, flag: 'wx' });
        await rename(draft, file);
        unwritten = undefined;
      } catch (thrown) {
        report(`The login can't be kept in ${folder} (${codeOf(thrown)}).`);
      }
      return tokens;
    },
    /** Returns what it was. What a killed process has left goes too. @throws {ToolError} if the file stays */
    async remove(): Promise<Tokens | undefined> {
      const tokens = await read();
      unwritten = undefined;
      try {
        for (const path of [file, draft]) await rm(path, { force: true });
      } catch (thrown) {
        throw new ToolError(`The login can't be removed from ${folder} (${codeOf(thrown)}).`);
      }
      return tokens;
    },
    /** Other processes wait: two of them must not use one refresh token. @throws {ToolError} if one holds it too long */
    async locked<T>(run: () => Promise<T>): Promise<T> {
      if (!isKept) return run();
      const lock = `${file}.lock`;
      const owner = randomId();
      const end = Date.now() + LOCK_LIMITS.waitMs;
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
      // Where no lock can be written, no file can: its writing is reported.
      const create = () => writeFile(lock, owner, { mode: 0o600, flag: 'wx' }).then(() => '', codeOf);
      while ((await create()) === 'EEXIST') {
        if (Date.now() > end)
          throw new ToolError('The API was not called: another process holds the login. Try again later.');
        if ((await ageOf(lock)) > LOCK_LIMITS.staleMs) await breakLock(lock, owner);
        else await sleep(LOCK_LIMITS.pauseMs);
      }
      return run().finally(async () => {
        const holder = await readFile(lock, 'utf8').catch(() => '');
        if (holder === owner) await rm(lock, { force: true }).catch(() => undefined);
      });
    },
  };
}

const codeOf = (thrown: unknown): string => String((thrown as NodeJS.ErrnoException).code);

/** Another process may have been first, and have made a new one since: that one is put back. */
async function breakLock(lock: string, owner: string): Promise<void> {
  const broken = `${lock}.${owner}`;
  await rename(lock, broken).catch(() => undefined);
  if ((await ageOf(broken)) <= LOCK_LIMITS.staleMs) await link(broken, lock).catch(() => undefined);
  await rm(broken, { force: true });
}

async function ageOf(file: string): Promise<number> {
  const status = await stat(file).catch(() => undefined);
  return status === undefined ? 0 : Date.now() - status.mtimeMs;
}

function stateFolder({ XDG_STATE_HOME: folder, LOCALAPPDATA: local }: Env): string {
  // The XDG specification ignores relative ones: they depend on where the client starts the server.
  if (folder && isAbsolute(folder)) return folder;
  if (process.platform === 'win32' && local) return local;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return join(homedir(), '.local', 'state');
}
