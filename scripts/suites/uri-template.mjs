// The RFC 6570 vectors of uritemplate-test: expansion, refusal, and (where nothing is lost) matching back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyResult, record, skip } from './result.mjs';

const files = ['spec-examples', 'spec-examples-by-section', 'extended-tests', 'negative-tests'];

/** @param {string} folder holds the vectors @param {string} dist the built project */
export async function runUriTemplate(folder, dist) {
  const module = await import(join(dist, 'templates/runtime/uri-template/index.js'));
  const expansion = emptyResult('uritemplate expand');
  const matching = emptyResult('uritemplate match');
  for (const file of files) {
    const groups = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8'));
    for (const [name, { variables, testcases }] of Object.entries(groups)) {
      for (const [template, wanted] of testcases) {
        const label = `${file}: ${name}: ${template}`;
        record(expansion, label, problemOf(module, template, variables, wanted));
        if (wanted !== false) matchBack(matching, label, module, template, variables, wanted);
      }
    }
  }
  return [expansion, matching];
}

/** `wanted` is a text, a list of allowed texts (members have no order), or false: must be refused. */
function problemOf({ expandUriTemplate, UriTemplateError }, template, variables, wanted) {
  try {
    const got = expandUriTemplate(template, variables);
    if (wanted !== false && [wanted].flat().includes(got)) return undefined;
    return wanted === false ? `accepted as ${got}` : `expanded to ${got}`;
  } catch (error) {
    return wanted === false && error instanceof UriTemplateError ? undefined : String(error);
  }
}

/** An expansion must match its template, and expanding what was found must give the same URI again. */
function matchBack(result, label, { expandUriTemplate, matchUriTemplate }, template, variables, wanted) {
  const uri = [wanted].flat()[0];
  const names = template.match(/[\w%.]+(?=[^{}]*\})/g) ?? [];
  const isObject = (name) => typeof variables[name] === 'object' && !Array.isArray(variables[name]);
  if (names.some(isObject)) return skip(result, 'objects cannot be told from lists in a URI');
  if (names.some((name) => variables[name] === ''))
    return skip(result, 'an empty text and an absent one look alike');
  if (/\{[^}]*\}\{[+\w]/.test(template)) return skip(result, 'variables without anything between them');
  if (/\{[+#]/.test(template) && names.some((name) => String(variables[name]).includes('%'))) {
    return skip(result, 'reserved expansion does not tell a triplet from a percent sign');
  }
  const found = matchUriTemplate(template, uri);
  if (found === undefined) return record(result, label, `no match for ${uri}`);
  const again = expandUriTemplate(template, found);
  return record(result, label, again === uri ? undefined : `${JSON.stringify(found)} expands to ${again}`);
}
