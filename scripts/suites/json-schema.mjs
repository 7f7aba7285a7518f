/** The official JSON-Schema-Test-Suite, draft 2020-12, against the validator of servers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { compileSchema, requireChecked } from '../../dist/src/util/check-values.js';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Not checked by servers. The compiler lowers some: `$id` and anchors, other dialects. */
const LOWERED = /"\$(?:id|anchor|schema|dynamicRef|dynamicAnchor|recursiveRef)"|"dependencies"/;

/** `folder`: holds `tests/`. Formats are not asserted. */
export function runJsonSchema(folder, begin) {
  const tests = join(folder, 'tests/draft2020-12');
  for (const [suite, below, informative] of [
    ['json-schema required', '', false],
    ['json-schema optional', 'optional', true],
  ]) {
    const result = begin(suite, informative);
    for (const file of jsonFiles(join(tests, below), false))
      for (const { description, schema, tests: cases } of readJson(file)) {
        const group = `${relative(tests, file).split(sep).join('/')}: ${description}`;
        if (isLowered(schema)) result.skip('the compiler lowers it', cases.length);
        else for (const one of cases) result.record(`${group} / ${one.description}`, problemOf(schema, one));
      }
  }
}

function isLowered(schema) {
  if (LOWERED.test(JSON.stringify({ ...schema, $schema: undefined }))) return true;
  try {
    requireChecked(schema);
    return false;
  } catch {
    return true;
  }
}

function problemOf(schema, { data, valid }) {
  try {
    const [misfit] = compileSchema(schema)(data);
    if ((misfit === undefined) === valid) return undefined;
    return valid ? `refused: ${misfit.message}` : 'accepted';
  } catch (error) {
    return String(error);
  }
}

function jsonFiles(folder, recursive) {
  const files = readdirSync(folder, { recursive }).filter((name) => name.endsWith('.json'));
  return files.map((name) => join(folder, name)).sort();
}
