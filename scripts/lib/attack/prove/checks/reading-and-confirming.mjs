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
