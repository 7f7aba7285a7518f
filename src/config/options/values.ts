/** Checks of single options. A function `…Problem` returns a clause, or `undefined` for a valid value. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { HEADER_VARIABLE, isSettableHeader } from '../../util/http-syntax.ts';
import { FEATURES } from '../../model/feature-table.ts';
import { FEATURE_NAMES } from '../../model/features.ts';
import { isPublishTarget, publishTargets } from '../../model/published.ts';
import {
  type Check,
  type Faulty,
  flag,
  formatChoices,
  makeListCheck,
  checkMembers,
  makePredicateCheck,
  makeObjectCheck,
  makeChoiceCheck,
  text,
  texts,
  findUnknownMembers,
} from './shape.ts';
import type { RouteRule } from './sources.ts';

const checkFileList: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? texts(value, path)
    : [{ path, problem: 'must be a list of paths and globs' }];

const typescriptMembers = makeObjectCheck(
  { files: checkFileList, tsconfig: text },
  'must be an object with "files"',
);

export const checkTypescript: Check = (value, path) => {
  const faults = typescriptMembers(value, path);
  if (isRecord(value) && value['files'] === undefined)
    faults.push({ path, problem: 'needs "files", a list of paths and globs' });
  return faults;
};

/** Lengths of the names of tools and prompts, in characters. */
export const NAME_LENGTH = {
  /** A shorter limit would leave no room for the hash that keeps names unique. */
  shortest: 16,
  default: 64,
  /** Maximum of the protocol. */
  longest: 128,
} as const;

export const nameLength = makePredicateCheck(
  (value) =>
    Number.isInteger(value) && Number(value) >= NAME_LENGTH.shortest && Number(value) <= NAME_LENGTH.longest,
  `must be a whole number from ${NAME_LENGTH.shortest} to ${NAME_LENGTH.longest}`,
);

/** A text that is cut shorter says nothing. */
const FEWEST_CHARACTERS = 100;

const characters = makePredicateCheck(
  (value) => Number.isInteger(value) && Number(value) >= FEWEST_CHARACTERS,
  `must be a whole number from ${FEWEST_CHARACTERS}`,
);

const LONGEST_PREFIX = 32;

export function makePrefixCheck(maxNameLength: unknown): Check {
  const longest = typeof maxNameLength === 'number' ? maxNameLength : NAME_LENGTH.default;
  return (value, path) => {
    const problem = prefixProblem(value, longest);
    return problem === undefined ? [] : [{ path, problem }];
  };
}

function prefixProblem(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(value))
    return 'must start with a letter or digit and contain only letters, digits, "_", "-" and ".", like tool names';
  if (value.length > LONGEST_PREFIX) return `must have at most ${LONGEST_PREFIX} characters`;
  return longest - value.length >= NAME_LENGTH.shortest
    ? undefined
    : `leaves fewer than ${NAME_LENGTH.shortest} of the ${longest} characters that "maxNameLength" allows for names`;
}

export function hostedUrlProblem(url: string): string | undefined {
  const isFit = URL.canParse(url) && new URL(url).protocol === 'https:' && new URL(url).username === '';
  return isFit
    ? undefined
    : 'it must be an https URL without credentials, such as https://mcp.example.com/mcp';
}

export function targetProblem(target: string): string | undefined {
  return isPublishTarget(target) ? undefined : `the targets are ${formatChoices(target, publishTargets)}`;
}

export function featureProblem(name: string): string | undefined {
  if (FEATURE_NAMES.includes(name)) return undefined;
  const addedBy = FEATURES.find((feature) => feature.name === name)?.addedBy;
  if (addedBy !== undefined) return `this feature is not added by its name: ${addedBy.replace(/\.$/, '')}`;
  return `the features are ${formatChoices(name, FEATURE_NAMES)}`;
}

export function findOverlaySourceProblem(source: string): string | undefined {
  return source === '-' ? 'a later run cannot read standard input again' : undefined;
}

export function findVariableNameProblem(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : 'it must be the name of a variable, such as API_DOCS_HOST';
}

export function baseUrlProblem(url: string): string | undefined {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
    ? undefined
    : 'it must be an http or https URL, such as https://api.example.com/v1';
}

/** Accepts an origin as `URL` formats it, or one of a lock with variables of a server's URL: `https://{region}.example.com`. */
export function originProblem(origin: string): string | undefined {
  const isTemplate = /^(?:https?:\/\/)?[\w.:{}[\]%-]*\{[\w.:{}[\]%-]*$/.test(origin);
  const isOrigin = /^https?:\/\//.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  if (isTemplate || isOrigin) return undefined;
  const isUrl = /^https?:\/\//i.test(origin) && URL.canParse(origin);
  return `it must be only an origin, such as ${isUrl ? new URL(origin).origin : 'https://api.example.com'}`;
}

/** Accepts a host with or without port, and a URL for its host. */
export function hostProblem(name: string): string | undefined {
  return name !== '' &&
    !/[\s,]/.test(name) &&
    URL.canParse(/^https?:\/\//i.test(name) ? name : `http://${name}`)
    ? undefined
    : 'it must be only a host, such as schemas.example.com';
}

const KINDS = ['tag', 'path', 'op', 'method'];

export function selectorProblem(selector: string): string | undefined {
  const colon = selector.indexOf(':');
  const kind = selector.slice(0, Math.max(0, colon));
  if (!KINDS.includes(kind)) return 'a selector starts with tag:, path:, op: or method:';
  return selector.slice(colon + 1).trim() === '' ? `${kind}: needs something to match` : undefined;
}

const ROLES = ['tool', 'resource', 'template', 'exclude'];

const MEMBERS: Record<keyof RouteRule, Check> = {
  methods: texts,
  path: text,
  tags: texts,
  operationId: text,
  deprecated: flag,
  as: makeChoiceCheck(...ROLES),
};

const checkRouteRule: Check = (value, path) => {
  if (!isRecord(value)) return [{ path, problem: 'must be an object' }];
  const needs =
    value['as'] === undefined ? [{ path, problem: `needs "as", one of ${ROLES.join(', ')}` }] : [];
  return [
    ...findUnknownMembers(value, Object.keys(MEMBERS), path),
    ...needs,
    ...checkMembers(value, MEMBERS, path),
  ];
};

export const routeRules: Check = makeListCheck(checkRouteRule, 'must be a list of rules');

export function parseRouteRules(value: unknown): RouteRule[] | Faulty {
  const faults = routeRules(value, []);
  return faults.length === 0 ? (value as RouteRule[]) : { faults };
}

/** RFC 9110, section 5.6.2. Importing the pattern of the runtime would load one more module at every start of the command. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A header whose name has one of these words holds a secret. */
const SECRET_NAME = /auth|key|token|secret|passw|cookie|session|credential|signature/i;
const SECRET_VALUE = /^(?:basic|bearer|token)\s/i;

export const checkHeaders: Check = (value, path) =>
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
    return 'has a "${" that names no variable: write ${NAME} without a default, or $${ for the characters themselves';
  const isSecret = SECRET_NAME.test(name) || SECRET_VALUE.test(value);
  return isSecret && isFixed
    ? 'looks like a secret: write ${NAME}, a variable that the server reads when it runs'
    : undefined;
}

/** Limits of what a server lists. More tools or tokens are an error; longer descriptions are cut. */
export interface Budget {
  tools?: number;
  /** Most tokens that the whole answer to `tools/list` may have. */
  listTokens?: number;
  /** Most tokens that any one tool may have in `tools/list`. */
  toolTokens?: number;
  /** Most characters of the description of a tool. Default 1000. */
  description?: number;
  /** Most characters of the description of an argument. Default 300. */
  argument?: number;
}

export const wholeNumber = makePredicateCheck(
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
  'must be a whole number above 0',
);

export const checkBudget = makeObjectCheck(
  {
    ...{ tools: wholeNumber, listTokens: wholeNumber, toolTokens: wholeNumber },
    ...{ description: characters, argument: characters },
  },
  'must be an object of tools, listTokens, toolTokens, description and argument',
);
