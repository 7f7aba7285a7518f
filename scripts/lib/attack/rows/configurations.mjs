/**
 * Repositories of strangers: their configurations make no command run their code, send a variable of the environment anywhere, or
 * write a file elsewhere, unless whoever runs it has consented.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

import { inRepository } from '../../repository.mjs';

export const family = 'configurations';

const SECRET = 'AKIA-a-secret-of-the-person';
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: 'https://things.example' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'd' } } } } },
});

/**
 * A server on this machine that a configuration names; `upstream` counts the requests that carry the secret, `handlers` the marks
 * that planted code has left, and the files that came to be outside of repositories.
 */
export async function open(folder) {
  const asked = [];
  /** Commands that a row does not wait for any more. */
  const running = new Set();
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end(document);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const marks = path.join(folder, 'marks');
  const outside = path.join(folder, 'outside');
  const home = path.join(folder, 'home');
  await Promise.all([marks, outside, home].map((each) => mkdir(each)));
  const encoded = Buffer.from(`ada:${SECRET}`).toString('base64');
  const carries = (request) => [SECRET, encoded].some((text) => request.includes(text));
  return {
    folder,
    marks,
    outside,
    home,
    url: `http://127.0.0.1:${server.address().port}`,
    witness: async () => ({
      upstream: asked.filter(carries).length,
      handlers: (await readdir(marks)).length,
      outside: (await readdir(outside, { recursive: true, withFileTypes: true })).filter((each) =>
        each.isFile(),
      ).length,
    }),
    running,
    close: async () => {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all([...running].map((child) => once(child, 'close')));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Code that leaves a mark, wherever it runs: of CommonJS, and of a module. */
const placeOf = (target, name) => `${JSON.stringify(`${path.join(target.marks, name)}-`)} + process.pid, ''`;
const mark = (target, name) => `require('node:fs').writeFileSync(${placeOf(target, name)});`;
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

/** @returns {Promise<{ exitCode: number, stdout: string, stderr: string }>} */
function mcpgen(target, cwd, args, variables = {}) {
  const { PATH } = process.env;
  const env = { PATH, HOME: target.home, AWS_SECRET: SECRET, MCPGEN_FORMAT: 'pretty', ...variables };
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
const CONFIGURED = { 'mcpgen.config.json': asJson({ source: 'api.json', templates: 't', output: 'out' }) };
const plugged = asJson({ plugins: ['./plugin.mjs'] });
const plugin = (target) => ({ 'plugin.mjs': `${marking(target, 'plugin')} export const languages = [];` });

/** @type {[name: string, files: (target: object) => Record<string, string>][]} */
const prettiers = [
  ['.prettierrc.cjs', (target) => ({ '.prettierrc.cjs': `${mark(target, 'cjs')} module.exports = {};` })],
  ['.prettierrc.mjs', (target) => ({ '.prettierrc.mjs': `${marking(target, 'mjs')} export default {};` })],
  ['.prettierrc.js', (target) => ({ '.prettierrc.js': `${mark(target, 'js')} module.exports = {};` })],
  [
    'prettier.config.cjs',
    (target) => ({ 'prettier.config.cjs': `${mark(target, 'p')} module.exports = {};` }),
  ],
  [
    'prettier.config.mjs',
    (target) => ({ 'prettier.config.mjs': `${marking(target, 'pm')} export default {};` }),
  ],
  [
    'a shared configuration that package.json names',
    (target) => ({
      'package.json': asJson({ prettier: 'planted' }),
      'node_modules/planted/package.json': '{ "main": "index.cjs" }',
      'node_modules/planted/index.cjs': `${mark(target, 'shared')} module.exports = {};`,
    }),
  ],
];

const formatRows = prettiers.map(([name, files]) => ({
  name: `templates are formatted beside ${name}`,
  want: '0',
  attack: async (target) => {
    const cwd = await plant(target, { ...TEMPLATES, ...CONFIGURED, ...files(target) });
    return resultOf(await mcpgen(target, cwd, ['generate', '--dry-run']));
  },
}));

/** Settings that are no code, and name a plugin. @type {[name: string, files: Record<string, string>][]} */
const settings = [
  ['.prettierrc', { '.prettierrc': plugged }],
  ['.prettierrc.json', { '.prettierrc.json': plugged }],
  ['.prettierrc.yaml', { '.prettierrc.yaml': 'plugins: [./plugin.mjs]\n' }],
  ['package.json', { 'package.json': `{ "prettier": ${plugged} }` }],
];

const pluginRows = settings.map(([name, files]) => ({
  name: `templates are formatted beside ${name} with a plugin`,
  want: '0',
  attack: async (target) => {
    const cwd = await plant(target, { ...TEMPLATES, ...CONFIGURED, ...plugin(target), ...files });
    return resultOf(await mcpgen(target, cwd, ['generate', '--dry-run']));
  },
}));

// --- Code under --no-code -------------------------------------------------------------------------------------------

const hooksOf = (target, name) => `${marking(target, name)}\nexport function onModel() {}\n`;
const inCode = (target) => ({
  'mcpgen.config.mjs': `${marking(target, 'config')} export default { source: 'api.json', output: 'out' };`,
});
const hooked = (target) => ({
  'mcpgen.config.json': asJson({ source: 'api.json', output: 'out', hooks: './hooks.mjs' }),
  'hooks.mjs': hooksOf(target, 'hooks'),
});

const commands = [
  ['check', ['check']],
  ['inspect', ['inspect', '.']],
  ['diff', ['diff', '.']],
  ['generate', ['generate']],
  ['generate --dry-run', ['generate', '--dry-run']],
  ['serve', ['serve', '.']],
  ['overlay init', ['overlay', 'init', '.', '-o', '-']],
];

/** By the variable, unless the option is among the arguments. */
const refusals = [
  ...commands.map(([name, args]) => [`${name} of a configuration in code`, args, inCode]),
  ...commands
    .filter(([name]) => name !== 'serve')
    .map(([name, args]) => [`${name} of JSON with hooks`, args, hooked]),
  ['serve of a configuration with hooks', ['serve', 'mcpgen.config.json'], hooked],
  [
    'generate of YAML with helpers',
    ['generate'],
    (target) => ({
      ...TEMPLATES,
      'mcpgen.config.json':
        '{ "source": "api.json", "output": "out", "templates": "t", "helpers": "./helpers.mjs" }\n',
      'helpers.mjs': `${marking(target, 'helpers')}\nexport const help = () => '';\n`,
    }),
  ],
  [
    'generate of a server with hooks that all share',
    ['generate'],
    (target) => ({
      'mcpgen.config.json': asJson({ hooks: './h.mjs', servers: { one: { source: 'api.json' } } }),
      'h.mjs': hooksOf(target, 'shared hooks'),
    }),
  ],
  [
    'serve of functions',
    ['serve', 'tools.ts'],
    (target) => ({
      'tools.ts': `${untyped(target, 'tools')}\n${FUNCTION}`,
    }),
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
  ['inspect --no-code of a configuration in code', ['inspect', '.', '--no-code'], inCode],
  ['check --no-code of JSON with hooks', ['check', '--no-code'], hooked],
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

/** @type {[name: string, config: (url: string) => object, want?: string][]} */
const senders = [
  ['the query of a source', (url) => ({ source: `${url}/a?k=\${AWS_SECRET}` })],
  ['the path of a source', (url) => ({ source: `${url}/\${AWS_SECRET}/a.json` })],
  ['the user of a source', (url) => ({ source: `${url.replace('//', '//ada:${AWS_SECRET}@')}/a.json` })],
  ['a source with a default', (url) => ({ source: `${url}/\${AWS_SECRET:-none}` })],
  ['an overlay', (url) => ({ source: 'api.json', overlays: [`${url}/\${AWS_SECRET}`] })],
  [
    'one of several sources',
    (url) => ({ sources: [{ openapi: 'api.json' }, { openapi: `${url}/\${AWS_SECRET}`, prefix: 'b_' }] }),
  ],
  [
    'the overlay of one of several sources',
    (url) => ({ sources: [{ openapi: 'api.json', overlays: [`${url}/\${AWS_SECRET}`] }] }),
  ],
  [
    'the source of one of several servers',
    (url) => ({ servers: { one: { source: `${url}/\${AWS_SECRET}` } } }),
  ],
  ['a source that servers share', (url) => ({ source: `${url}/\${AWS_SECRET}`, servers: { one: {} } })],
];

const requestRows = [
  ...senders.map(([name, config]) => ['generate', name, config]),
  ...['check', 'inspect', 'diff', 'serve', 'overlay'].map((command) => [command, ...senders[0]]),
].map(([command, name, config]) => ({
  name: `${command}: a variable in ${name}`,
  want: '2 MCPG624',
  attack: async (target) => {
    const written = asJson({ output: 'out', ...config(target.url) });
    const { output, ...alone } = JSON.parse(written);
    const stated = 'servers' in alone ? alone : { ...alone, output };
    const cwd = await plant(target, { 'mcpgen.config.json': asJson(stated) });
    const args = { overlay: ['overlay', 'init', '.', '-o', '-'], serve: ['serve', 'mcpgen.config.json'] };
    return resultOf(await mcpgen(target, cwd, args[command] ?? [command, '.']));
  },
}));

// --- Folders outside ------------------------------------------------------------------------------------------------

/** @type {[name: string, files: (target: object) => Record<string, string | { link: string }>, ...more: string[]][]} */
const outputs = [
  [
    'a path upward',
    () => ({ 'mcpgen.config.json': asJson({ source: 'api.json', output: '../../outside/a' }) }),
  ],
  [
    'an absolute path',
    (target) => ({ 'mcpgen.config.json': asJson({ source: 'api.json', output: `${target.outside}/b` }) }),
  ],
  [
    'a path upward, with --force',
    () => ({ 'mcpgen.config.json': asJson({ source: 'api.json', output: '../../outside/k' }) }),
    '--force',
  ],
  [
    'a link',
    (target) => ({
      'mcpgen.config.json': asJson({ source: 'api.json', output: 'c' }),
      c: { link: path.join(target.outside, 'c') },
    }),
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
  [
    'one of several servers',
    () => ({
      'mcpgen.config.json': asJson({ servers: { g: { source: 'api.json', output: '../../outside/g' } } }),
    }),
  ],
  [
    'a link that is called as one of several servers',
    (target) => ({
      'mcpgen.config.json': asJson({ servers: { h: { source: 'api.json' } } }),
      h: { link: path.join(target.outside, 'h') },
    }),
  ],
  [
    'a path of a variable',
    () => ({ 'mcpgen.config.json': asJson({ source: 'api.json', output: '${OUTSIDE}/i' }) }),
  ],
  [
    'a path upward, for functions',
    () => ({
      'mcpgen.config.json': asJson({
        typescript: { files: ['tools.ts'] },
        name: 'fs',
        output: '../../outside/j',
      }),
      'tools.ts': FUNCTION,
    }),
  ],
];

const outputRows = outputs.map(([name, files, ...more]) => ({
  name: `output by ${name}`,
  want: '2 MCPG626',
  attack: async (target) => {
    const cwd = await plant(target, files(target));
    return resultOf(await mcpgen(target, cwd, ['generate', ...more], { OUTSIDE: target.outside }));
  },
}));

/** Folders of git and npm in the repository itself. @type {[output: string, linked?: string][]} */
const reserved = [
  ['node_modules/x'],
  ['.git/x'],
  ['.git/modules/../x'],
  ['src/.git/modules/x'],
  ['.GIT/x'],
  ['linked', 'node_modules/y'],
  ['linked/deep', '.git/hooks'],
];

const reservedRows = reserved.map(([output, linked]) => ({
  name: `output among the files of git and npm: ${output}${linked === undefined ? '' : `, a link to ${linked}`}`,
  want: '1 MCPG567',
  attack: async (target) => {
    const cwd = await plant(target, { 'mcpgen.config.json': asJson({ source: 'api.json', output }) });
    if (linked !== undefined) {
      await mkdir(path.join(cwd, linked), { recursive: true });
      await symlink(path.join(cwd, linked), path.join(cwd, 'linked'));
    }
    return resultOf(await mcpgen(target, cwd, ['generate']));
  },
}));

export const rows = [
  ...formatRows,
  ...pluginRows,
  ...codeRows,
  ...requestRows,
  ...outputRows,
  ...reservedRows,
];
