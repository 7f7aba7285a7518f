/**
 * What model APIs and clients accept of a tool, written down apart from the compiler's profiles, so that each checks
 * the other. Rules and their sources: docs/lint.md.
 */
import { Ajv } from 'ajv';

/** Members that hold one schema, a list of them, or a map. */
const ONE = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];

const MANY = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

const NAMED = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `check` finds in a schema, and in those within it. */
export function walk(schema, at, check) {
  if (!isRecord(schema)) return [];
  const inner = [
    ...ONE.map((key) => [`${at}/${key}`, schema[key]]),
    ...MANY.flatMap((key) =>
      Array.isArray(schema[key])
        ? schema[key].map((each, index) => [`${at}/${key}/${String(index)}`, each])
        : [],
    ),
    ...NAMED.flatMap((key) =>
      Object.entries(isRecord(schema[key]) ? schema[key] : {}).map(([name, each]) => [
        `${at}/${key}/${name}`,
        each,
      ]),
    ),
  ];
  return [...check(schema, at), ...inner.flatMap(([place, each]) => walk(each, place, check))];
}

function withoutItems(schema) {
  return walk(schema, '#', ({ type, items, ...rest }, at) =>
    [type].flat().includes('array') && items === undefined && !('prefixItems' in rest)
      ? [`no items at ${at}`]
      : [],
  );
}

const draft07 = new Ajv({ strict: false, validateFormats: false });

/** VS Code: the meta-schema of draft-07. */
function draft07Faults(schema) {
  if (draft07.validateSchema(schema) === true) return [];
  return (draft07.errors ?? []).map(({ instancePath, message = '' }) => `#${instancePath} ${message}`);
}

function geminiFaults(schema) {
  return walk(schema, '#', (each, at) => {
    const beside = Object.keys(each).filter((key) => !['$ref', 'description', 'default'].includes(key));
    return [
      ...(Array.isArray(each.type) ? [`a list of types at ${at}`] : []),
      ...('$ref' in each && beside.length > 0 ? [`${beside.join()} beside $ref at ${at}`] : []),
    ];
  });
}

function refFaults(schema) {
  return walk(schema, '#', (each, at) => ('$ref' in each ? [`$ref at ${at}`] : []));
}

/** Names alone, and with the server's in the client's own form. */
function nameFaults(most, join = (_server, tool) => tool) {
  return ({ name }, server) => [
    ...(/^[a-zA-Z0-9_-]+$/.test(name) ? [] : [`the name ${name}`]),
    ...(join(server, name).length <= most ? [] : [`the length of ${join(server, name)}`]),
  ];
}

function keyFaults({ inputSchema }) {
  const keys = Object.keys(inputSchema.properties ?? {});
  return keys.filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)).map((key) => `the argument ${key}`);
}

const schemaFaults =
  (...checks) =>
  ({ inputSchema }) =>
    checks.flatMap((check) => check(inputSchema));

const SUBSETS = {
  claude: { checks: [nameFaults(128), keyFaults] },
  'claude-code': { checks: [nameFaults(64, (server, tool) => `mcp__${server}__${tool}`), keyFaults] },
  'claude-desktop': { checks: [nameFaults(64), keyFaults] },
  cursor: { checks: [nameFaults(59, (server, tool) => server + tool)], most: 40 },
  vscode: { checks: [nameFaults(64), schemaFaults(withoutItems, draft07Faults)], most: 128 },
  copilot: { checks: [nameFaults(64), schemaFaults(withoutItems)], most: 128 },
  openai: { checks: [nameFaults(64), schemaFaults(withoutItems)], most: 128 },
  gemini: {
    checks: [
      nameFaults(63, (server, tool) => `mcp_${server}_${tool}`),
      schemaFaults(withoutItems, geminiFaults),
    ],
    most: 512,
  },
  adk: { checks: [schemaFaults(refFaults)], most: 512 },
};

export const SUBSET_NAMES = Object.keys(SUBSETS);

/** What the client refuses though no warning of the compiler says so: `reported` are their messages. */
export function unreportedFaults(client, { server, tools, reported }) {
  const { checks, most = Infinity } = SUBSETS[client];
  const faults = tools.flatMap((tool) =>
    checks.flatMap((check) => check(tool, server).map((fault) => `${tool.name}: ${fault}`)),
  );
  if (tools.length > most) faults.push(`${String(tools.length)} tools`);
  const isReported = (name) =>
    reported.some((words) => words.includes(`of \`${name}\``) || /takes at most/.test(words));
  return faults.filter((fault) => !isReported(fault.split(': ')[0]));
}
