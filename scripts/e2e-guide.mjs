/**
 * `npm run e2e:guide`: the server of docs/typescript.md in projects with TypeScript 5.4 to the preview, which must accept it and list the
 * same tools. It installs packages.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository, root } from './lib/repository.mjs';
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
  return faults.length > 0;
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
