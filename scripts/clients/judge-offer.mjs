/** What the model APIs of OpenAI, Anthropic and Google refuse in the tools that a client offers them. */

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const ARGUMENT_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Members that may stand beside a `$ref`. */
const BESIDE_REF = new Set(['$ref', 'description', 'default']);

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
const SINGLES = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];

/**
 * @param {import('./fake-model.mjs').OfferedTool[]} tools
 * @returns {string[]} a line for each kind of fault: how often, and the first place
 */
export function judgeOffer(tools) {
  const found = new Map();
  const report = (fault, place) => {
    const { count, first } = found.get(fault) ?? { count: 0, first: place };
    found.set(fault, { count: count + 1, first });
  };
  for (const { name, parameters, result } of tools) {
    if (!TOOL_NAME.test(name)) report('name', name);
    if (parameters !== undefined) judgeInput(parameters, (fault, place) => report(fault, name + place));
    if (result !== undefined)
      judgeSchema(result, result, '', (fault, place) => report(`${fault} (result)`, name + place));
  }
  return [...found].map(([fault, { count, first }]) => `${fault} ×${count}, first ${first}`);
}

function judgeInput(schema, report) {
  for (const keyword of ['oneOf', 'anyOf', 'allOf'])
    if (schema[keyword] !== undefined) report(`${keyword} at the top`, '');
  if (String(schema.type).toLowerCase() !== 'object') report('no object at the top', '');
  for (const key of Object.keys(schema.properties ?? {}))
    if (!ARGUMENT_NAME.test(key)) report('argument name', `/${key}`);
  judgeSchema(schema, schema, '', report);
}

function judgeSchema(schema, root, place, report) {
  if (typeof schema !== 'object' || schema === null) return;
  if (typeof schema.$ref === 'string') judgeRef(schema, root, place, report);
  const types = [schema.type].flat().map((type) => String(type).toLowerCase());
  if (types.includes('array') && schema.items === undefined) report('array without items', place);
  for (const [key, child] of childrenOf(schema)) judgeSchema(child, root, `${place}/${key}`, report);
}

function judgeRef(schema, root, place, report) {
  if (!Object.keys(schema).every((key) => BESIDE_REF.has(key))) report('$ref with siblings', place);
  if (!leadsSomewhere(schema.$ref, root)) report('$ref to nothing', `${place} ${schema.$ref}`);
}

function leadsSomewhere(ref, root) {
  if (!ref.startsWith('#')) return false;
  const keys = ref.slice(1).split('/').slice(1);
  const found = keys.reduce(
    (at, key) => at?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
  return found !== undefined;
}

function childrenOf(schema) {
  return [
    ...MAPS.flatMap((key) =>
      Object.entries(schema[key] ?? {}).map(([name, child]) => [`${key}/${name}`, child]),
    ),
    ...LISTS.flatMap((key) => (schema[key] ?? []).map((child, index) => [`${key}/${index}`, child])),
    ...SINGLES.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]),
  ];
}
