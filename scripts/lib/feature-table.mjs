/** The table of docs/reference/features.md, from the table in templates/runtime/features.ts. */
import path from 'node:path';

const BEGIN = '<!-- features: written by `npm run docs` -->';
const END = '<!-- /features -->';

/** `page` with the features between its marks. */
export function withFeatures(page, { features }) {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest.split(END);
  const rows = features.map((row) => {
    const flags = Object.keys(row.flags ?? {}).map((flag) => `\`--${flag}\``);
    const about = row.about.replace(/\.$/, '');
    const link = path.posix.relative('reference', row.docs);
    return `| \`${row.name}\` | [${about}](${link}) | ${flags.join(', ')} | ${reasons(row, features).join('; ')} |`;
  });
  const head = ['| feature | what it is | flags | a project has it |', '| --- | --- | --- | --- |'];
  return `${before}${BEGIN}\n\n${[...head, ...rows].join('\n')}\n\n${END}${withRefused(after, features)}`;
}

/** Names the features whose set variables end the start of a server that lacks the feature. */
function withRefused(text, features) {
  const names = features.filter(({ isRefused }) => isRefused).map(({ name }) => `\`${name}\``);
  return text.replace(/(<!-- refused -->).*(<!-- \/refused -->)/, `$1${names.join(', ')}$2`);
}

function reasons(row, features) {
  if (row.entries.length === 0) return ['always'];
  const dependents = features.filter(({ needs = [] }) => needs.includes(row.name));
  return [
    ...(row.isDefault ? ['by default'] : []),
    ...(row.addedBy === undefined && !row.isDefault ? ['if named'] : []),
    ...(row.neededBy ?? []).map(describeNeed),
    ...(dependents.length === 0 ? [] : [`with ${dependents.map(({ name }) => `\`${name}\``).join(', ')}`]),
  ];
}

/** One kind of need → each of its values in words, or the words of any value. */
const WORDS = {
  binding: { http: 'with an OpenAPI document', function: 'with annotated functions' },
  auth: () => 'with `auth: oauth`',
  confirm: () => 'with `confirm`',
  surface: () => 'with `surface` `search` or `both`',
  skills: () => 'with skills beside the source',
  taskSupport: () => 'if a listed tool has `taskSupport`',
  imports: () => 'if functions or handlers import types of these questions',
  handlers: (keys) => `if handlers have ${keys.map((name) => `\`${name}\``).join(', ')}`,
  code: (members) => `if functions or handlers use ${members.map((name) => `\`${name}\``).join(', ')}`,
  publish: (target) => `with the publish target \`${target}\``,
  api: {
    parameters: 'with a request that is not [plain](#parameters)',
    multipart: 'with a multipart body',
    xml: 'with an XML body',
    'answer-members': 'with an answer that is cut to some members',
    'client-credentials': 'with an OAuth scheme that names a token URL or metadata',
    files: 'with a body or an answer that may be bytes',
    sequences: 'with an answer that is a sequence',
    exchange: 'with `auth.onBehalf` or `auth.exchange`',
    'client-certificates': 'with a `mutualTLS` scheme',
  },
  lists: {
    patterns: 'if a listed schema has a pattern that is not [plain](#patterns)',
    alternatives: 'if a listed schema has `anyOf` or `oneOf` with two branches beside null',
    'uri-templates': 'if a listed template is not [plain](#resource-templates)',
  },
};

function describeNeed(need) {
  const [[kind, value]] = Object.entries(need);
  const words = WORDS[kind];
  const text = typeof words === 'function' ? words(value) : words?.[value];
  if (text === undefined)
    throw new Error(`scripts/lib/feature-table.mjs has no words for ${JSON.stringify(need)}.`);
  return text;
}
