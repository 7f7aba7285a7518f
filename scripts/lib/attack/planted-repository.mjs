/**
 * A repository of a stranger: a project of mcpgen with things in it that would run programs, or take files of the
 * person who compiles it. The home folder of that person stands beside it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { hashWithoutLayout } from '../../../dist/src/emit/hash.js';
import { inRepository } from '../repository.mjs';
import { run } from '../run.mjs';

const TEMPORARY = '.0123abcd.mcpgen-tmp';

const operation = (operationId) => ({ operationId, responses: { 200: { description: 'Fine.' } } });
const api = {
  openapi: '3.1.0',
  info: { title: 'Planted', version: '1.0.0' },
  servers: [{ url: 'https://api.example' }],
  paths: { '/pets/{id}': { get: operation('get_pet'), delete: operation('delete_pet') } },
};
for (const each of Object.values(api.paths['/pets/{id}']))
  each.parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];

/** A project as mcpgen writes it, in a repository with one commit. `folder`: fresh and empty. */
export async function openPlanted(folder) {
  const [work, home, canary] = ['work', 'home', 'canary.sh'].map((name) => path.join(folder, name));
  const at = (...parts) => path.join(work, 'server', ...parts);
  const planted = { folder, work, home, canary, at, put: (file, text) => putFile(at(file), text) };
  putFile(path.join(home, 'secret.txt'), 'mine alone\n');
  putFile(path.join(home, '.ssh/id_ed25519'), 'a private key\n');
  putFile(path.join(home, 'runtime/notes.js'), 'mine too\n');
  putFile(canary, `#!/bin/sh\necho "$0 $*" >> ${path.join(folder, 'ran')}\nexit 1\n`);
  chmodSync(canary, 0o755);
  putFile(path.join(work, 'api.json'), JSON.stringify(api));
  const { code, stderr } = await command(planted, ['openapi', 'api.json', '-o', 'server']);
  if (code !== 0) throw new Error(stderr);
  putFile(at('NOTES.md'), 'of a person\n');
  putFile(at('node_modules/dependency/index.js'), 'export {};\n');
  gitIn(work, 'init', '-q');
  gitIn(work, 'add', '-A');
  gitIn(work, ...['-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '-qm', 'one']);
  return planted;
}

/** Another one of the same. */
export function copyOf({ folder: from }, folder) {
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  const [work, home, canary] = ['work', 'home', 'canary.sh'].map((name) => path.join(folder, name));
  putFile(canary, readFileSync(canary, 'utf8').replace(path.join(from, 'ran'), path.join(folder, 'ran')));
  const at = (...parts) => path.join(work, 'server', ...parts);
  return { folder, work, home, canary, at, put: (file, text) => putFile(at(file), text) };
}

function gitIn(cwd, ...args) {
  execFileSync('git', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}

function putFile(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The modules that the command is bundled from: checks can be taken out of these. */
const MODULES = inRepository('dist/src/cli/main.js');

/**
 * The environment of the person whose home it is. PATH begins with folders of the repository; the programs of the
 * person follow.
 */
function environment({ folder, home, at }) {
  const folders = [at('node_modules/.bin'), 'tools', path.join(folder, 'programs'), process.env.PATH];
  const { SystemRoot, TMPDIR } = process.env;
  return { SystemRoot, TMPDIR, PATH: folders.join(path.delimiter), HOME: home };
}

/** Runs a command in the repository, as the person whose home it is. `program`: a module. */
export function command(planted, args, program = MODULES) {
  return run(process.execPath, [program, ...args], { cwd: planted.work, env: environment(planted) });
}

/** A `claude` of the person that needs `node`, as Claude Code's does. */
export function putClaude({ folder }) {
  const file = path.join(folder, 'programs/claude');
  putProgram(
    file,
    `#!/usr/bin/env node\nrequire('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'claude-ran'))}, '');\n`,
  );
}

function putProgram(file, text) {
  putFile(file, text);
  chmodSync(file, 0o755);
}

/** Lines that the canary wrote. */
export function runs({ folder }) {
  const file = path.join(folder, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

/**
 * Files that must stay unchanged, by path: the home folder, and those of the repository that mcpgen does not
 * generate.
 */
export function kept({ folder, work, home, at }) {
  const repository = listed(work).filter((file) =>
    /(^|[/\\])\.git([/\\]|$)|api\.json$/i.test(path.relative(work, file)),
  );
  const files = [...listed(home), ...repository, ...listed(at('node_modules')), at('NOTES.md')];
  return Object.fromEntries(
    [...new Set(files)].sort().map((file) => [path.relative(folder, file), hashOf(file)]),
  );
}

function listed(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function hashOf(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch (error) {
    return error.code === 'EISDIR' ? readlinkSync(file) : error.code;
  }
}

function putCanary({ canary }, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  cpSync(canary, file);
}

/** In each folder that a program may start in. */
function putInTools(planted, name) {
  for (const folder of [planted.work, planted.at()]) putCanary(planted, path.join(folder, 'tools', name));
}

/**
 * Programs of the repository under the names that `install` starts. @type {Record<string, (planted:
 * Planted) => void>}
 */
export const programPlants = {
  'a program that is called claude': (planted) => putCanary(planted, planted.at('node_modules/.bin/claude')),
  'a program that is called node': (planted) => putCanary(planted, planted.at('node_modules/.bin/node')),
  'a program that is called claude, in a relative folder of PATH': (planted) => putInTools(planted, 'claude'),
};

/**
 * Files that have the names of a killed run's, where only links lead, or among git's own. @type {Record<string,
 * (planted: Planted) => void>}
 */
export const leftoverPlants = {
  'a temporary name behind a link to the home folder': ({ home, at }) => {
    putFile(path.join(home, `keys/x${TEMPORARY}`), 'mine\n');
    symlinkSync(path.join(home, 'keys'), at('keys'));
  },
  'a temporary name in .git': (planted) => {
    // The project is the repository.
    renameSync(path.join(planted.work, '.git'), planted.at('.git'));
    planted.put(`.git/x${TEMPORARY}`, 'of git\n');
  },
};

/** As an unedited file, which a run may remove. */
const listedInLock = (name) => (planted) => {
  const file = planted.at('mcpgen.lock');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  lock.files[name] = hashWithoutLayout(readFileSync(planted.at(name), 'utf8'));
  writeFileSync(file, JSON.stringify(lock));
};

/** Files in the lock that mcpgen did not write. @type {Record<string, (planted: Planted) => void>} */
export const lockPlants = {
  'a lock with .git/HEAD': (planted) => {
    renameSync(path.join(planted.work, '.git'), planted.at('.git'));
    listedInLock('.git/HEAD')(planted);
  },
  'a lock with NOTES.md': listedInLock('NOTES.md'),
  'a lock with a dependency': listedInLock('node_modules/dependency/index.js'),
  'a lock with another spelling of .git': (planted) => {
    planted.put('src/app/module/.GIT/HEAD', 'ref: refs/heads/main\n');
    listedInLock('src/app/module/.GIT/HEAD')(planted);
  },
};

/** A path that mcpgen may generate, by a link to what it may not. */
export function linkInto(planted) {
  renameSync(path.join(planted.work, '.git'), planted.at('.git'));
  mkdirSync(planted.at('src/app'), { recursive: true });
  symlinkSync('../../.git', planted.at('src/app/linked'));
  listedInLock('src/app/linked/HEAD')(planted);
}

/** Two tools of the lock have each other's name. */
export function swapNames({ at }) {
  const lock = JSON.parse(readFileSync(at('mcpgen.lock'), 'utf8'));
  const [one, other] = Object.keys(lock.names);
  [lock.names[one], lock.names[other]] = [lock.names[other], lock.names[one]];
  writeFileSync(at('mcpgen.lock'), JSON.stringify(lock));
}
