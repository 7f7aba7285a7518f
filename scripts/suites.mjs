// npm run suites -- <folder> [dist]: test suites written by others, against the built project.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runJsonSchema } from './suites/json-schema.mjs';
import { runMalicious, runOpenApiTests } from './suites/openapi.mjs';
import { misused, readOptions } from './lib/usage.mjs';
import { runOverlay } from './suites/overlay.mjs';
import { printResults } from './suites/print.mjs';
import { runUriTemplate } from './suites/uri-template.mjs';

const suites = {
  'json-schema': runJsonSchema,
  uritemplate: runUriTemplate,
  'oai-schema-tests-3.1': (folder, dist) => runOpenApiTests(folder, dist, 'oai-schema-tests-3.1'),
  'oai-schema-tests-3.2': (folder, dist) => runOpenApiTests(folder, dist, 'oai-schema-tests-3.2'),
  'oai-overlay': runOverlay,
  malicious: runMalicious,
};

const usage = `npm run suites -- <folder> [dist]\nThe folder holds ${Object.keys(suites).join(', ')}.`;
const [argument, built] = readOptions(usage, { allowPositionals: true }).positionals;
const folder = argument === undefined ? undefined : resolve(argument);
const found = Object.keys(suites).filter((name) => folder !== undefined && existsSync(join(folder, name)));

if (folder === undefined || found.length === 0) {
  misused(usage, folder === undefined ? 'No folder is given.' : `${argument} holds no suite.`);
}

const dist = resolve(built ?? fileURLToPath(new URL('../dist', import.meta.url)));
const results = [];
for (const name of found) results.push(...(await suites[name](join(folder, name), dist)));
printResults(results);
for (const name of Object.keys(suites)) if (!found.includes(name)) console.log(`not there: ${name}`);
process.exitCode = results.some(({ failures, informative }) => failures.length > 0 && !informative) ? 1 : 0;
