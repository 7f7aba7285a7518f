/** `--read-only` and `--confirm destructive`. */
import { replacement } from '../checks.mjs';

const families = ['reading and confirming'];

export const checks = [
  replacement(
    'only tools that read are served',
    ['this.hidden === void 0 || annotations?.readOnlyHint === true', 'true'],
    families,
    /read-only: a tool that writes, in/,
  ),
  replacement(
    'the definition switches no flag off',
    [
      'readOnly: statements.some(({ readOnly }) => readOnly === true)',
      'readOnly: statements.findLast(({ readOnly }) => readOnly !== void 0)?.readOnly',
    ],
    families,
    /false in the definition: a tool that writes$/,
  ),
  replacement(
    'a destructive tool asks first',
    ['confirms === true && readOnlyHint !== true', 'false'],
    families,
    /by a client that can't ask, in/,
  ),
  replacement(
    'only a form that says yes confirms',
    ['action === "accept" && content?.["confirm"] === true', 'action === "accept"'],
    families,
    /a form that says no/,
  ),
];
