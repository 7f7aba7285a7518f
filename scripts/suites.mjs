/** `npm run suites -- <folder>`: test suites written by others, against the built project. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';
import { runArazzo } from './suites/arazzo.mjs';
import { runJsonSchema } from './suites/json-schema.mjs';
import { runMalicious, runOpenApiTests } from './suites/openapi.mjs';
import { runOverlay } from './suites/overlay.mjs';
import { runUriTemplate } from './suites/uri-template.mjs';

/** Each gets its folder and `begin`, and hands each case to the result that `begin(name)` gives: `record` or `skip`. */
const suites = {
  'json-schema': runJsonSchema,
  uritemplate: runUriTemplate,
  'oai-schema-tests-3.1': runOpenApiTests,
  'oai-schema-tests-3.2': runOpenApiTests,
  'oai-overlay': runOverlay,
  malicious: runMalicious,
  arazzo: runArazzo,
};

const MOST_LISTED = 40;
const usage = `npm run suites -- <folder>\nThe folder holds ${Object.keys(suites).join(', ')}.`;
const [folder = ''] = readOptions(usage, { allowPositionals: true }).positionals;
const found = Object.keys(suites).filter((name) => existsSync(path.join(folder, name)));
if (folder === '' || found.length === 0) misused(usage, `${folder || 'Nothing'} holds no suite.`);

const rows = [];
const details = [];
/** `informative`: failures are counted, and do not fail the run. */
function begin(suite, informative = false) {
  const row = [informative ? `${suite} (for information)` : suite, 0, 0, 0];
  rows.push(row);
  return {
    record: (name, problem) => {
      row[problem === undefined ? 1 : 2]++;
      if (problem !== undefined && !informative) details.push(`${suite}: ${name}: ${problem}`);
    },
    /** The reason is for who reads the suite. */
    skip: (_reason, count = 1) => {
      row[3] += count;
    },
  };
}

for (const name of found) await suites[name](path.resolve(folder, name), begin, name);
console.log(table(['suite', 'passed', 'failed', 'skipped'], rows));
for (const detail of details.slice(0, MOST_LISTED)) console.log(`failed ${detail}`);
if (details.length > MOST_LISTED) console.log(`… ${details.length - MOST_LISTED} more`);
for (const name of Object.keys(suites)) if (!found.includes(name)) console.log(`not there: ${name}`);
process.exitCode = details.length > 0 ? 1 : 0;
