/**
 * Repositories of strangers: their configurations make no command run their code, send a variable of the environment
 * anywhere, or write a file elsewhere, unless whoever runs it has consented.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { startLoopback } from '../../../../fixtures/upstreams/loopback.mjs';
import { inRepository } from '../../repository.mjs';
import { inModule, never } from '../prove/check.mjs';

export const family = 'configurations';

const SECRET = 'AKIA-a-secret-of-the-person';
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: 'https://things.example' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'd' } } } } },
});

/**
 * A server on this machine that a configuration names; `upstream` counts the requests that carry the secret,
 * `handlers` the marks that planted code has left, and the files that came to be outside of repositories.
 */
export async function open(folder) {
  /** Commands that a row does not wait for any more. */
  const running = new Set();
  const { url, requests, close } = await startLoopback(() => ({ text: document }));
  const marks = path.join(folder, 'marks');
  const outside = path.join(folder, 'outside');
  const home = path.join(folder, 'home');
  await Promise.all([marks, outside, home].map((each) => mkdir(each)));
  const encoded = Buffer.from(`ada:${SECRET}`).toString('base64');
  const carries = (request) => [SECRET, encoded].some((text) => JSON.stringify(request).includes(text));
  return {
    folder,
    marks,
    outside,
    home,
    url,
    witness: async () => ({
      upstream: requests.filter(carries).length,
      handlers: (await readdir(marks)).length,
      outside: (await readdir(outside, { recursive: true, withFileTypes: true })).filter((each) =>
        each.isFile(),
      ).length,
    }),
    running,
    close: async () => {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all([...running].map((child) => once(child, 'close')));
      await close();
    },
  };
}

/** Code that leaves a mark, wherever it runs. */
const placeOf = (target, name) => `${JSON.stringify(`${path.join(target.marks, name)}-`)} + process.pid, ''`;
const marking = (target, name) =>
  `import { writeFileSync } from 'node:fs'; writeFileSync(${placeOf(target, name)});`;

/** The same in TypeScript, without the types of Node. */
const untyped = (target, name) =>
  `(globalThis as any).process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(path.join(target.marks, name))}, '');`;

/** A fresh repository of these files, below `work/`. */
async function plant(target, files, { git = true } = {}) {
  const top = await mkdtemp(path.join(target.folder, 'repository-'));
  const cwd = path.join(top, 'work');
  await mkdir(git ? path.join(cwd, '.git') : cwd, { recursive: true });
  for (const [name, text] of Object.entries({ 'api.json': document, ...files })) {
    const file = path.join(cwd, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (typeof text === 'string') await writeFile(file, text);
    else {
      await mkdir(text.link, { recursive: true });
      await symlink(text.link, file);
    }
  }
  return cwd;
}

/** Messages to a server that comes to run: its functions are loaded when the first is called. */
const calls = [
  [
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  ],
  ['tools/call', { name: 'add', arguments: { a: 1 } }],
]
  .map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  .join('');

function mcpgen(target, cwd, args, variables = {}) {
  const { PATH } = process.env;
  const env = { PATH, HOME: target.home, AWS_SECRET: SECRET, ...variables };
  const command = [inRepository('dist/bin/mcpgen.js'), ...args];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      command,
      { cwd, env, timeout: 30_000 },
      (error, stdout, stderr) => resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr }),
    );
    target.running.add(child);
    child.once('close', () => target.running.delete(child));
    child.stdin.on('error', () => undefined).end(calls);
  });
}

/** `2 MCPG623`; a secret that is printed is told too. */
function resultOf({ exitCode, stdout, stderr }) {
  const codes = [...new Set(stderr.match(/error (?:MCPG\d+)/g) ?? [])].map((each) => each.slice(6));
  const told = `${stdout}${stderr}`.includes(SECRET) ? ' tells the secret' : '';
  return [exitCode, ...codes].join(' ') + told;
}

const asJson = JSON.stringify;
const FUNCTION =
  '/**\n * Adds.\n * @tool add\n */\nexport function add(a: number): number {\n  return a;\n}\n';

// --- Prettier -------------------------------------------------------------------------------------------------------

const TEMPLATES = { 't/README.md.hbs': '# {{title}}\n', 't/src/main.ts.hbs': "import './server.ts';\n" };

const formatRow = {
  name: 'templates are formatted beside .prettierrc.cjs',
  want: '0',
  attack: async (target) => {
    const cwd = await plant(target, {
      ...TEMPLATES,
      'mcpgen.config.json': asJson({ source: 'api.json', templates: 't', output: 'out' }),
      '.prettierrc.cjs': `require('node:fs').writeFileSync(${placeOf(target, 'cjs')}); module.exports = {};`,
    });
    return resultOf(await mcpgen(target, cwd, ['generate', '--dry-run']));
  },
};

// --- Code under --no-code -------------------------------------------------------------------------------------------

const hooksOf = (target, name) => `${marking(target, name)}\nexport function onModel() {}\n`;
const inCode = (target) => ({
  'mcpgen.config.mjs': `${marking(target, 'config')} export default { source: 'api.json', output: 'out' };`,
});

/**
 * By the variable, unless the option is among the arguments. @type {[name: string, args: string[], files: (target:
 * object) => Record<string, string>][]}
 */
const refusals = [
  ['check of a configuration in code', ['check'], inCode],
  ['inspect --no-code of a configuration in code', ['inspect', '.', '--no-code'], inCode],
  [
    'generate of JSON with hooks',
    ['generate'],
    (target) => ({
      'mcpgen.config.json': asJson({ source: 'api.json', output: 'out', hooks: './hooks.mjs' }),
      'hooks.mjs': hooksOf(target, 'hooks'),
    }),
  ],
  [
    'serve of functions',
    ['serve', 'tools.ts'],
    (target) => ({ 'tools.ts': `${untyped(target, 'tools')}\n${FUNCTION}` }),
  ],
  [
    'serve of a project with a program of its own',
    ['serve', '.'],
    (target) => ({
      'mcpgen.config.json': asJson({ source: 'api.json' }),
      'mcpgen.lock': '{}',
      'package.json': '{ "type": "module" }',
      'dist/main.js': marking(target, 'main'),
    }),
  ],
];

const codeRows = refusals.map(([name, args, files]) => ({
  name: `${name}, where no code may run`,
  want: '2 MCPG623',
  attack: async (target) => {
    const variables = args.includes('--no-code') ? {} : { MCPGEN_NO_CODE: '1' };
    return resultOf(await mcpgen(target, await plant(target, files(target)), args, variables));
  },
}));

// --- Variables in requests ------------------------------------------------------------------------------------------

const requestRow = {
  name: 'a variable in the query of a source',
  want: '2 MCPG624',
  attack: async (target) => {
    const config = asJson({ source: `${target.url}/a?k=\${AWS_SECRET}` });
    const cwd = await plant(target, { 'mcpgen.config.json': config });
    return resultOf(await mcpgen(target, cwd, ['generate', '.']));
  },
};

// --- Folders outside ------------------------------------------------------------------------------------------------

const outputs = [
  [
    'a path upward',
    () => ({ 'mcpgen.config.json': asJson({ source: 'api.json', output: '../../outside/a' }) }),
  ],
  [
    'a folder below a link',
    (target) => ({
      'mcpgen.config.json': asJson({ source: 'api.json', output: 'd/e' }),
      d: { link: path.join(target.outside, 'd') },
    }),
  ],
  [
    'a link that is called as the server',
    (target) => ({
      'mcpgen.config.mjs': "export default { source: 'api.json', name: 'f' };\n",
      f: { link: path.join(target.outside, 'f') },
    }),
  ],
];

const outputRows = outputs.map(([name, files]) => ({
  name: `output by ${name}`,
  want: '2 MCPG626',
  attack: async (target) => resultOf(await mcpgen(target, await plant(target, files(target)), ['generate'])),
}));

export const rows = [formatRow, ...codeRows, requestRow, ...outputRows];

const inChunk = (name, ...check) => inModule(`bin/chunks/${name}`, ...check);

export const checks = [
  inChunk('compiler', /^templates/, [
    'const parser = (languages.find(',
    'const parser = (await prettier.getFileInfo(path)).inferredParser ?? (languages.find(',
  ]),
  inChunk('compiler', /of a configuration in code/, never('run.noCode === true && /\\.m?[jt]s$/.test(name)')),
  inChunk(
    'compiler',
    /^generate of/,
    ['run.noCode === true ? findCodeNeeds(value, folder, run) : []', '[]'],
    never('noCode && isModule'),
  ),
  inChunk('serve', /serve of functions/, never('options.noCode === true')),
  inChunk('serve-project', /program of its own/, never('isCodeRefused(flags, host.env)')),
  inChunk('compile-options', /^inspect --no-code/, [
    'return noCode || /^(?:1|true)$/i.test(',
    'return /^(?:1|true)$/i.test(',
  ]),
  inChunk('compiler', /^a variable in/, [
    '!REQUESTED.test(member) || !isUrl(filled) || refusedNames.length === 0',
    'true',
  ]),
  inChunk('compiler', /output by a path/, [
    '.filter((folder) => isInside(folder, target))',
    '.concat(target)',
  ]),
  inChunk('compiler', /below a link/, [
    'const target = resolveExistingLinks(resolve(cwd, dir));',
    'const target = resolve(cwd, dir);',
  ]),
  {
    ...inChunk('compiler', /called as the server/, never('!await isConfined(dir, options, diagnostics)')),
    // A run that is not refused writes 400 files, which may take longer than a row waits.
    admits: /got failed: no answer/,
  },
];
