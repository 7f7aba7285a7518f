/**
 * `npm run e2e:deploy [-- --only <part>,…]`: what docs/deploying.md shows. Manifests of several projects by the types
 * of Kubernetes, services by the schema of Docker Compose, commands of kubectl that need no cluster, and both
 * official clients through nginx, Caddy and HAProxy to two servers: streams begin at once, and a server is replaced
 * without a failed call. Programs come from Debian's packages; missing ones count as not run.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { judgeManifest, judgeServices, tools } from './lib/deploy/judge-manifests.mjs';
import { checkConfiguration, missingProxy, PROXIES, tryProxy } from './lib/deploy/try-proxy.mjs';
import { programCalled } from './e2e-real/servers/debian.mjs';
import { inRepository } from './lib/repository.mjs';
import { mcpgenOrThrow, run } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const PUBLISH = ['--publish', 'docker', '--publish', 'kubernetes', '--feature', 'mock'];
const PETSTORE = ['openapi', inRepository('fixtures/petstore.yaml')];
const FUNCTIONS = ['ts', inRepository('fixtures/typescript/weather/src/forecast.ts')];

/** A client that waits for ever is a complaint. */
const LONGEST_MS = 120_000;

/** Projects whose manifests are judged. */
const PROJECTS = {
  api: [...PETSTORE, ...PUBLISH],
  // One server, without Redis.
  docker: [...PETSTORE, '--publish', 'docker'],
  functions: [...FUNCTIONS, '--name', '2fa_codes.v1', ...PUBLISH],
  oauth: [...PETSTORE, '--auth', 'oauth', '--name', '@scope/things', ...PUBLISH],
};

const parts = { manifests: judgeProjects, kubectl: runKubectl };
for (const name of Object.keys(PROXIES)) parts[name] = (page, folder) => throughProxy(name, page, folder);

const usage = `npm run e2e:deploy [-- --only <part>,…]\nParts: ${Object.keys(parts).join(', ')}.`;
const { values } = readOptions(usage, { options: { only: { type: 'string', multiple: true } } });
const chosen = values.only?.flatMap((names) => names.split(',')) ?? Object.keys(parts);
for (const name of chosen) if (!Object.hasOwn(parts, name)) misused(usage, `There is no part ${name}.`);

const page = await readDeployingPage();
for (const name of chosen) {
  const began = performance.now();
  const complaints = await withTempFolder(`deploy-${name}`, (folder) =>
    Promise.race([parts[name](page, folder), sleep(LONGEST_MS, ['not done in time'], { ref: false })]).catch(
      (error) => [String(error.stack)],
    ),
  );
  if (typeof complaints === 'string') console.log(`- ${name}: not run, ${complaints} is missing`);
  else {
    const mark = complaints.length === 0 ? paint('green', '✓') : paint('red', '✗');
    console.log(`${mark} ${name}, in ${seconds(performance.now() - began)}`);
    for (const complaint of complaints) console.log(`  ${complaint.replaceAll('\n', '\n  ')}`);
    if (complaints.length > 0) process.exitCode = 1;
  }
}

/** Compiles a project into `<folder>/<name>`. */
async function compileInto(folder, name, args) {
  await mcpgenOrThrow([...args, '-o', name], { cwd: folder });
  return path.join(folder, name);
}

async function judgeProjects(_, folder) {
  await tools.install();
  const complaints = [];
  for (const [name, args] of Object.entries(PROJECTS)) {
    const project = await compileInto(folder, name, args);
    const services = await readFile(path.join(project, 'compose.yaml'), 'utf8');
    const found = [
      ...(await judgeServices(services)),
      ...((await judgeServices(services.replace('cap_drop', 'cap_drops'))).length === 0
        ? ['cap_drops is accepted']
        : []),
      ...(/^ {2}redis:$/m.test(services) === (name !== 'docker') ? [] : ['Redis is where it should not be']),
      ...(args.includes('kubernetes') ? await judgeObjects(project) : []),
    ];
    complaints.push(...found.map((complaint) => `${name}: ${complaint}`));
  }
  return complaints;
}

async function judgeObjects(project) {
  const manifest = await readFile(path.join(project, 'deploy/kubernetes.yaml'), 'utf8');
  // A judge that takes everything proves nothing.
  const isBlind = judgeManifest(manifest.replace('maxSurge', 'maxSurges')).length === 0;
  return [...judgeManifest(manifest), ...(isBlind ? ['maxSurges is accepted'] : [])];
}

/** Commands of the page that need no cluster; what they print is judged. */
async function runKubectl({ commands, files }, folder) {
  if (programCalled('kubectl') === undefined) return 'kubectl';
  await tools.install();
  await compileInto(folder, 'petstore-mcp', PROJECTS.api);
  await mkdir(path.join(folder, 'production'));
  await writeFile(path.join(folder, 'production/kustomization.yaml'), files['production/kustomization.yaml']);
  const complaints = [];
  for (const command of commands.filter((each) =>
    /^openssl |^kubectl (?:kustomize|create .*--dry-run)/.test(each),
  )) {
    const { code, stderr } = await run('sh', ['-c', command], { cwd: folder });
    if (code !== 0) complaints.push(`${command}: ${stderr}`);
  }
  if (complaints.length > 0) return complaints;
  const all = await readFile(path.join(folder, 'all.yaml'), 'utf8');
  const secret = await readFile(path.join(folder, 'secret.yaml'), 'utf8');
  return [
    ...judgeManifest(all),
    ...judgeManifest(secret.replace(/^ *creationTimestamp: null\n/m, '')),
    ...(all.includes('image: registry.example.com/petstore-mcp:1.4.0') ? [] : ['the overlay names no image']),
    ...(all.includes('MCP_ALLOWED_HOSTS: mcp.example.com') ? [] : ['the overlay sets no variable']),
  ];
}

async function throughProxy(name, { files }, folder) {
  const missing = missingProxy(name);
  if (missing !== undefined) return `the program of \`${missing}\``;
  await copyFile(inRepository('fixtures/petstore.yaml'), path.join(folder, 'petstore.yaml'));
  const project = await compileInto(folder, 'petstore-mcp', PROJECTS.api);
  const refused = name === 'haproxy' ? await checkConfiguration(name, 'deploy/haproxy.cfg', project) : [];
  return [...refused, ...(await tryProxy(name, files[PROXIES[name].file], project, folder))];
}

/** Files by the titles of their blocks; lines of `sh`. */
async function readDeployingPage() {
  const page = await readFile(inRepository('docs/deploying.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)(?: title=(\S+))?\n(.*?)^```$/gms)];
  const titled = blocks.filter(([, , title]) => title !== undefined);
  return {
    files: Object.fromEntries(titled.map(([, , title, text]) => [title, text])),
    commands: blocks.flatMap(([, info, , text]) => (info === 'sh' ? text.trimEnd().split('\n') : [])),
  };
}
