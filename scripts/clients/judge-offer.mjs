/** What the model APIs of OpenAI, Anthropic and Google refuse in the tools that a client offers them. */
import { formFaults } from '../lib/corpus/values.mjs';

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const ARGUMENT_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MOST = 10;

/** Gemini writes types in capitals. */
const plain = (schema) =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  );

/** The first faults, and how many there are more. */
export function judgeOffer(tools) {
  const faults = tools.flatMap(({ name, parameters, result }) => {
    const schemas = [parameters, result].filter((schema) => schema !== undefined).map(plain);
    const forms = schemas.flatMap(formFaults).filter((fault) => !fault.endsWith('is used once'));
    const input = parameters === undefined ? [] : topFaults(plain(parameters));
    const named = TOOL_NAME.test(name) ? [] : ['its name'];
    return [...named, ...input, ...forms].map((fault) => `${name}: ${fault}`);
  });
  const more = faults.length > MOST ? [`… ${faults.length - MOST} more`] : [];
  return [...faults.slice(0, MOST), ...more];
}

function topFaults(schema) {
  return [
    ...['oneOf', 'anyOf', 'allOf']
      .filter((key) => schema[key] !== undefined)
      .map((key) => `${key} at the top`),
    ...(schema.type === 'object' ? [] : ['no object at the top']),
    ...Object.keys(schema.properties ?? {})
      .filter((key) => !ARGUMENT_NAME.test(key))
      .map((key) => `the argument ${key}`),
  ];
}
