/**
 * `npm run e2e:guide`: the server of docs/typescript.md in projects with TypeScript 5.4 to the preview, which must accept it and list the
 * same tools; and beside FastMCP's, which must answer the same. It installs packages.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { cli, inRepository, root } from './lib/repository.mjs';
import { mcpgen, run, runOrThrow } from './lib/run.mjs';
import { table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

readOptions('npm run e2e:guide');

const NODE = '@types/node@20';
const ZOD = 'zod@4.6.7';
const COMMON = { strict: true, skipLibCheck: true, module: 'nodenext', types: ['node'] };
const CHECKED = { ...COMMON, target: 'es2022', noEmit: true, allowImportingTsExtensions: true };

/** Options that this version knows, and others may not. */
const VERSIONS = {
  '5.4.5': {
    module: 'esnext',
    moduleResolution: 'node',
    baseUrl: '.',
    paths: { 'mcpgen/*': ['node_modules/mcpgen/dist/templates/*'] },
  },
  '5.9.3': { erasableSyntaxOnly: false, moduleResolution: 'nodenext' },
  '6.0.3': { stableTypeOrdering: true },
  '7.0.2': { checkers: 2 },
  '7.1.0-dev.20261021.1': { target: 'es2026', lib: ['es2026'] },
};

const page = await readFile(inRepository('docs/typescript.md'), 'utf8');
const programs = [...page.matchAll(/^```ts title=(\S+)\n(.*?)^```$/gms)].map(([, file, text]) => ({
  file,
  text,
}));

const failed = await withTempFolder('e2e-guide', async (folder) => {
  const rows = [];
  for (const [version, options] of Object.entries(VERSIONS))
    rows.push(await readWith(version, { ...CHECKED, ...options }, path.join(folder, version)));
  const [first] = rows;
  const faults = rows.filter(({ tsc, tools }) => tsc !== 'ok' || tools === '' || tools !== first.tools);
  console.log(
    table(
      ['TypeScript', 'tsc', 'tools', 'warnings'],
      rows.map(({ version, tsc, tools, warnings }) => [
        version,
        tsc,
        tools === first.tools ? 'the same' : tools,
        warnings,
      ]),
    ),
  );
  const answers = await besideFastMcp(path.join(folder, 'fastmcp'));
  for (const { ask, own, other } of answers)
    if (!isDeepStrictEqual(own, other))
      console.error(`${ask}:\n  ${JSON.stringify(own)}\n  FastMCP: ${JSON.stringify(other)}`);
  console.log(`${answers.length} calls beside FastMCP`);
  return faults.length > 0 || answers.some(({ own, other }) => !isDeepStrictEqual(own, other));
});
process.exitCode = failed ? 1 : 0;

async function layOut(folder, prefix, packages, compilerOptions) {
  for (const { file, text } of programs.filter((each) => each.file.startsWith(prefix))) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [prefix] }));
  await runOrThrow(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...packages],
    { cwd: folder },
  );
  await symlink(root, path.join(folder, 'node_modules/mcpgen'));
}

async function readWith(name, compilerOptions, folder) {
  await layOut(folder, 'src', [`typescript@${name}`, NODE, ZOD], compilerOptions);
  const { version } = JSON.parse(
    await readFile(path.join(folder, 'node_modules/typescript/package.json'), 'utf8'),
  );
  const checked = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], {
    cwd: folder,
  });
  const { code, stdout, stderr } = await mcpgen(['inspect', 'src/*.ts', '--json'], { cwd: folder });
  const model = code === 0 ? JSON.parse(stdout) : undefined;
  return {
    version,
    tsc: checked.code === 0 ? 'ok' : checked.stdout.slice(0, 300),
    tools:
      model === undefined
        ? stderr
        : JSON.stringify(
            model.tools.map(({ name: tool, inputSchema, outputSchema }) => [tool, inputSchema, outputSchema]),
          ),
    warnings: [...new Set(stderr.match(/MCPG\d+ [\w-]+/g))].join(', '),
  };
}

async function besideFastMcp(folder) {
  const packages = ['fastmcp@4.20.16', ZOD, 'typescript@7.0.2', NODE];
  const options = { ...COMMON, target: 'es2023', rootDir: 'fastmcp', outDir: 'out' };
  await layOut(folder, 'fastmcp', packages, options);
  await runOrThrow(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: folder });
  await writeFile(path.join(folder, 'notes.ts'), programs.find(({ file }) => file === 'src/notes.ts').text);
  const own = await answersOf([cli, 'serve', 'notes.ts', '--quiet'], folder);
  const other = await answersOf(['out/notes.js'], folder);
  return own.map(({ ask, answer }, at) => ({ ask, own: answer, other: other[at].answer }));
}

async function answersOf(args, cwd) {
  const client = new Client({ name: 'e2e-guide', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }));
  const calls = [
    ['add_note', { text: 'Buy milk', tags: ['shop'] }],
    ['find_notes', { word: 'milk' }],
    ['find_notes', { word: 'shop', limit: 1 }],
    ['delete_note', { id: 9 }],
    ['delete_note', { id: 1 }],
    ['find_notes', { word: 'milk' }],
  ];
  const answers = [];
  try {
    const { tools } = await client.listTools();
    answers.push({
      ask: 'tools/list',
      answer: tools.map(({ name, description }) => ({ name, description })),
    });
    for (const [name, given] of calls) {
      const {
        structuredContent,
        isError = false,
        content,
      } = await client.callTool({ name, arguments: given });
      const answer = { isError, structuredContent, ...(isError && { content }) };
      answers.push({ ask: `${name} ${JSON.stringify(given)}`, answer: withoutTimes(answer) });
    }
  } finally {
    await client.close();
  }
  return answers;
}

function withoutTimes(answer) {
  return JSON.parse(JSON.stringify(answer).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"then"'));
}
