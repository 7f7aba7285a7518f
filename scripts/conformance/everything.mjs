/** Starts the server that has everything the suites call, on a free port. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { inRepository } from '../lib/repository.mjs';

const SOURCES = 'test/conformance/everything';

/**
 * Lays the server out as JavaScript, since the oldest Node that is supported runs no TypeScript.
 * @param {string} folder an empty one
 * @returns {string} the module to run
 */
export function layOut(folder) {
  const target = path.join(folder, SOURCES);
  mkdirSync(path.join(folder, 'templates'), { recursive: true });
  symlinkSync(inRepository('dist/templates/runtime'), path.join(folder, 'templates/runtime'));
  cpSync(inRepository(SOURCES, 'generated'), path.join(target, 'generated'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  for (const name of readdirSync(inRepository(SOURCES)).filter((file) => file.endsWith('.ts')))
    writeFileSync(path.join(target, `${name.slice(0, -3)}.js`), transpile(inRepository(SOURCES, name)));
  return path.join(target, 'main.js');
}

function transpile(file) {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  return ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions, fileName: file }).outputText;
}

/**
 * Runs `work` with the server's URL, and ends the server afterwards, whatever happens.
 * @template R
 * @param {string} main
 * @param {(url: string) => Promise<R>} work
 * @returns {Promise<R>}
 */
export async function withServer(main, work) {
  const args = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    return await work(await urlOf(child, ended));
  } finally {
    child.kill();
    await ended;
  }
}

/** What the server reports as its own faults goes on to standard error. */
function urlOf(child, ended) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    ended.then((code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [url] = /http:\/\/\S+\/mcp/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
      if (/: error: /.test(text)) process.stderr.write(text);
    });
  });
}
