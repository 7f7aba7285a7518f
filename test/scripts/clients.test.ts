// What the offer of tools to a model is judged by: each row has one fault, which must be found, or none.
import { expect, test } from 'vitest';
import { judgeOffer, type OfferedTool } from '../../scripts/clients/judge-offer.mjs';

const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });
const tool = (parameters: object, name = 'getPet'): OfferedTool => ({ name, parameters });
const pet = { $defs: { Pet: object({ id: { type: 'integer' } }) } };

test.each<[string, OfferedTool, string[]]>([
  ['a plain tool', tool(object({ id: { type: 'integer' } })), []],
  ['a dot in the name', tool(object({}), 'pets.get'), ['name ×1, first pets.get']],
  ['a long name', tool(object({}), 'a'.repeat(65)), [`name ×1, first ${'a'.repeat(65)}`]],
  ['a bracket in an argument', tool(object({ 'ids[]': {} })), ['argument name ×1, first getPet/ids[]']],
  ['alternatives at the top', tool(object({}, { oneOf: [{}] })), ['oneOf at the top ×1, first getPet']],
  ['no object at the top', tool({ type: 'string' }), ['no object at the top ×1, first getPet']],
  ['an array with items', tool(object({ ids: { type: 'array', items: {} } })), []],
  [
    'arrays without items, one by list of types',
    tool(object({ ids: { type: 'array' }, tags: { type: ['array', 'null'] } })),
    ['array without items ×2, first getPet/properties/ids'],
  ],
  [
    'an array as Gemini writes it',
    { name: 'getPet', parameters: { type: 'OBJECT', properties: { ids: { type: 'ARRAY' } } } },
    ['array without items ×1, first getPet/properties/ids'],
  ],
  ['a property named type', tool(object({ type: { enum: ['array'] } })), []],
  ['a $ref with a description', tool(object({ pet: { $ref: '#/$defs/Pet', description: 'It.' } }, pet)), []],
  [
    'a $ref with a sibling',
    tool(object({ pet: { $ref: '#/$defs/Pet', minProperties: 1 } }, pet)),
    ['$ref with siblings ×1, first getPet/properties/pet'],
  ],
  [
    'a $ref whose target was left out',
    tool(object({ pet: { $ref: '#/$defs/Pet' } })),
    ['$ref to nothing ×1, first getPet/properties/pet #/$defs/Pet'],
  ],
  [
    'a fault in a definition',
    tool(object({}, { $defs: { Ids: { type: 'array' } } })),
    ['array without items ×1, first getPet/$defs/Ids'],
  ],
  [
    'a fault in the schema of results',
    { name: 'getPet', parameters: object({}), result: { type: 'ARRAY' } },
    ['array without items (result) ×1, first getPet'],
  ],
])('%s', (_what, offered, faults) => {
  expect(judgeOffer([offered])).toEqual(faults);
});
