/** Texts of documents. */
import { replacement } from '../checks.mjs';

/** @param {string} file below `dist/src` @param {Parameters<typeof replacement>} given */
const inModule = (file, ...given) => ({ ...replacement(...given), files: [`dist/src/${file}.js`] });
const families = ['hidden text'];
/** A warning that is not given is the miss. */
const admits = /nobody is told|lists it|wanted refused MCPG440/;

export const checks = [
  {
    ...inModule(
      'frontends/openapi/load/hidden-text',
      'hidden characters are reported',
      ['const hiddenParts = hiddenTexts(value);', 'const hiddenParts = [];'],
      families,
      /^tags in the (?:words|value) at \/paths/,
    ),
    admits,
  },
  {
    ...inModule(
      'derive/text/clean-model',
      'orders to a model are reported',
      ['if (!anyHint.test(line))', 'if (line !== undefined)'],
      families,
      /^the description/,
    ),
    admits,
  },
];
