/** The RFC 6570 vectors of uritemplate-test: expansion, refusal, and (where nothing is lost) matching back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findTemplateFault } from '../../dist/src/util/uri-template.js';
import { uriTemplates } from '../../dist/templates/runtime/features/uri-templates.js';

const { templates, expansions } = uriTemplates().parts;

const files = ['spec-examples', 'spec-examples-by-section', 'extended-tests', 'negative-tests'];

/** `folder`: holds the vectors. */
export function runUriTemplate(folder, begin) {
  const expansion = begin('uritemplate expand');
  const matching = begin('uritemplate match');
  for (const file of files) {
    const groups = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8'));
    for (const [name, { variables, testcases }] of Object.entries(groups)) {
      for (const [template, wanted] of testcases) {
        const label = `${file}: ${name}: ${template}`;
        expansion.record(label, problemOf(template, variables, wanted));
        if (wanted !== false) matchBack(matching, label, template, variables, wanted);
      }
    }
  }
}

/** `wanted` is a text, a list of allowed texts (members have no order), or false: it must be refused or left as it is. */
function problemOf(template, variables, wanted) {
  const isRefused = findTemplateFault(template) !== undefined;
  const expansion = expansions.expand(template, variables);
  if (wanted === false) return isRefused || expansion === template ? undefined : 'accepted';
  return [wanted].flat().includes(expansion) && !isRefused ? undefined : `expanded to ${expansion}`;
}

/** An expansion must match its template, and expanding what was found must give the same URI again. */
function matchBack(result, label, template, variables, wanted) {
  const uri = [wanted].flat()[0];
  const names = template.match(/[\w%][\w%.]*(?=[^{}]*\})/g) ?? [];
  const isObject = (name) => typeof variables[name] === 'object' && !Array.isArray(variables[name]);
  if (names.some(isObject)) return result.skip('objects cannot be told from lists in a URI');
  if (names.some((name) => variables[name] === ''))
    return result.skip('an empty text and an absent one look alike');
  if (/\{[^}]*\}\{[+\w]/.test(template)) return result.skip('variables without anything between them');
  if (/\{[+#]/.test(template) && names.some((name) => String(variables[name]).includes('%'))) {
    return result.skip('reserved expansion does not tell a triplet from a percent sign');
  }
  const found = templates.match(template, uri);
  if (found === undefined) return result.record(label, `no match for ${uri}`);
  // The items of a list come as one text.
  const values = Object.entries(found).map(([name, text]) => [
    name,
    Array.isArray(variables[name]) ? text.split(',') : text,
  ]);
  const again = expansions.expand(template, Object.fromEntries(values));
  return result.record(label, again === uri ? undefined : `${JSON.stringify(found)} expands to ${again}`);
}
