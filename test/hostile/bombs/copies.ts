// Schemas that each refer to the next twice: written out where they are used, they double at every step.
import { type Bomb, many, openapi, ref, text } from './parts.ts';

/** Two to this power. */
const STEPS = 24;

const file = { type: 'string', format: 'binary' };

type Step = (next: object) => object;

const steps: Record<string, Step> = {
  anyOf: (next) => ({ anyOf: [next, next] }),
  oneOf: (next) => ({ oneOf: [next, { ...next }] }),
  allOf: (next) => ({ allOf: [next, { ...next }] }),
  'a reference beside anyOf': (next) => ({ description: 'x', ...next, anyOf: [next] }),
  'either or null': (next) => ({ anyOf: [next, next, { type: 'null' }] }),
};

function doubling(step: Step, last: object, count = STEPS): object {
  const schemas = many(count, (index) => [`A${index}`, step(ref(`A${index + 1}`))]);
  return { components: { schemas: { ...schemas, [`A${count}`]: last } } };
}

function withBody(type: string, schema: object, members: object): object {
  const responses = { 200: { description: 'd', content: { 'application/json': { schema: ref('A0') } } } };
  const post = { operationId: 'send', requestBody: { content: { [type]: { schema } } }, responses };
  return openapi({ paths: { '/a': { post } }, ...members });
}

const part = { type: 'object', properties: { file: ref('A0') } };

export const bombs: Bomb[] = [
  ...Object.entries(steps).flatMap(([name, step]) => [
    {
      what: `a file behind ${STEPS} times ${name}`,
      document: withBody('multipart/form-data', part, doubling(step, file)),
      told: name === 'allOf' || name === 'a reference beside anyOf' ? [] : ['schema-too-large'],
    },
    {
      what: `a part behind ${STEPS} times ${name}`,
      document: withBody('multipart/form-data', part, doubling(step, text)),
    },
    {
      what: `a body behind ${STEPS} times ${name}`,
      document: withBody(
        'application/json',
        ref('A0'),
        doubling(step, { type: 'object', properties: { a: text } }),
      ),
    },
  ]),
  {
    what: 'objects that are all of what one of their members is',
    document: withBody(
      'application/json',
      ref('A0'),
      doubling((next) => ({ type: 'object', properties: { x: next }, allOf: [next], anyOf: [next] }), {
        type: 'object',
        properties: { x: text },
      }),
    ),
  },
];
