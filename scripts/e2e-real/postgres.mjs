/** A PostgreSQL of its own for a server that needs one: Debian's programs, a new cluster in a temporary folder. */
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { run, runOrThrow } from '../lib/run.mjs';
import { freePort } from '../lib/free-port.mjs';
import { start } from './start.mjs';

/** The user that Debian's package makes: PostgreSQL refuses to run as root. */
const USER = 'postgres';
const asUser = ['--reuid', USER, '--regid', USER, '--clear-groups'];

const versions = '/usr/lib/postgresql';

/** @returns {string | undefined} the newest version's programs */
function programs() {
  if (!existsSync(versions)) return undefined;
  const found = readdirSync(versions).filter((one) => existsSync(path.join(versions, one, 'bin/postgres')));
  const newest = found.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest && path.join(versions, newest, 'bin');
}

/** @returns {Promise<string | undefined>} the command that installs PostgreSQL; undefined if it is there, and the tools then too */
export async function installBeside(tools) {
  if (programs() === undefined) return 'apt-get install postgresql';
  await tools.install();
  return undefined;
}

/**
 * @returns {Promise<{ port: number, close: () => Promise<void> }>} listens on 127.0.0.1; its database and its user, who
 *   needs no password, are both called postgres
 */
export async function startPostgres() {
  const bin = programs();
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-postgres-'));
  const asRoot = process.getuid() === 0;
  const command = (name, args) =>
    asRoot ? ['setpriv', [...asUser, path.join(bin, name), ...args]] : [path.join(bin, name), args];
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (asRoot) chownSync(folder, await idOf('-u'), await idOf('-g'));
    const data = path.join(folder, 'data');
    const how = ['--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'];
    await runOrThrow(...command('initdb', ['--pgdata', data, ...how]), { cwd: folder });
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
    const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
    const [program, all] = command('postgres', args);
    const ready = /(ready to accept connections)/;
    const running = await start({ command: program, args: all, cwd: folder, ready, endMs: 30_000 });
    return { port, close: () => running.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function idOf(option) {
  const { stdout } = await run('id', [option, USER]);
  return Number(stdout);
}
