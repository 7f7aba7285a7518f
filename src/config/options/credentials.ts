/** The options `credentials` and `headers`. */
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { HEADER_VARIABLE, isSettableHeader } from '../../../templates/runtime/contract/feature.ts';
import { type Check, makeChoiceCheck } from './shape.ts';

/** RFC 9110, section 5.6.2. Importing the pattern of the runtime would load one more module at every start of the command. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A header whose name has one of these words holds a secret. */
const SECRET_NAME = /auth|key|token|secret|passw|cookie|session|credential|signature/i;
const SECRET_VALUE = /^(?:basic|bearer|token)\s/i;

const checkHeaders: Check = (value, path) =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, text]) => {
        const problem = findHeaderProblem(name, text);
        return problem === undefined ? [] : [{ path: [...path, name], problem }];
      })
    : [{ path, problem: 'must be an object of headers, such as { "X-Tenant": "acme" }' }];

/** The problem does not show the value. */
function findHeaderProblem(name: string, value: unknown): string | undefined {
  if (!TOKEN.test(name)) return 'is no name of a header';
  if (!isSettableHeader(name)) return 'is a header that the HTTP client sets alone';
  if (typeof value !== 'string') return 'must be a string';
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(value)) return 'must not have line breaks or control characters';
  const isFixed = [...value.matchAll(HEADER_VARIABLE)].every(([, variable]) => variable === undefined);
  if (/(?<!\$)\$\{/.test(value.replaceAll(HEADER_VARIABLE, '')))
    return 'has a "${" that names no variable: write ${NAME}, or $${ for the characters themselves';
  const isSecret = SECRET_NAME.test(name) || SECRET_VALUE.test(value);
  return isSecret && isFixed
    ? 'looks like a secret: write ${NAME}, a variable that the server reads when it runs'
    : undefined;
}

export const CREDENTIAL_OPTIONS = {
  credentials: {
    of: 'document',
    type: "'declared' | 'demanded'",
    check: makeChoiceCheck('declared', 'demanded'),
    help: "operations that don't say `security`: declared (send what is set) or demanded (send nothing)",
    default: 'declared',
    docs: "`declared`: operations that don't say `security` are sent the credentials of declared schemes that are set; `demanded`: only those whose `security` names them: [Credentials](upstream.md#credentials)",
    example: 'demanded',
  },
  headers: {
    of: 'document',
    type: 'Record<string, string>',
    check: checkHeaders,
    help: 'headers of every request; ${NAME} is read from the environment when the server runs',
    docs: 'headers of every request to the API: `{ "X-Tenant": "acme", "X-Signed-By": "${SIGNER}" }`. Secrets only as `${NAME}`, which the server reads from its environment when it runs: [Headers](upstream.md#headers-of-every-request)',
    example: { 'X-Tenant': 'acme' },
  },
} as const;
