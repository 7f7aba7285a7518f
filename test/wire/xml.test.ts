/** Bodies of XML: the examples of the XML Object (OpenAPI 3.0 to 3.2) as requests, and what they leave open. */
import { proveRows, type Row } from './prove-rows.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
function bodyRow(says: string, schema: object, args: object | string, want: string | RegExp): Row {
  return {
    says,
    method: 'post',
    operation: { requestBody: { content: { 'application/xml': { schema } } } },
    args,
    want: typeof want === 'string' ? `POST /\nContent-Type: application/xml\n\n${want}` : want,
  };
}

/** One property of an element `a`, as the examples of the specification show it. */
function propertyRow(says: string, property: object, value: unknown, want: string | RegExp): Row {
  const schema = { type: 'object', xml: { name: 'a' }, properties: { animals: property } };
  return bodyRow(
    says,
    schema,
    { animals: value },
    want === '' ? '<a/>' : typeof want === 'string' ? `<a>${want}</a>` : want,
  );
}

const list = { type: 'array', items: text };
const named = (name: string): object => ({ type: 'array', items: { ...text, xml: { name } } });

/** OpenAPI 3.0.4, 3.1.1 and 3.2.0, "XML Object Examples": they agree on these. */
const examples: Row[] = [
  propertyRow('no XML Object', text, 'cat', '<animals>cat</animals>'),
  propertyRow('a list', list, ['a', 'b'], '<animals>a</animals><animals>b</animals>'),
  propertyRow('a name', { ...text, xml: { name: 'animal' } }, 'cat', '<animal>cat</animal>'),
  propertyRow('names of items', named('animal'), ['a', 'b'], '<animal>a</animal><animal>b</animal>'),
  propertyRow(
    'wrapped, with names of items',
    { ...named('animal'), xml: { wrapped: true } },
    ['a', 'b'],
    '<animals><animal>a</animal><animal>b</animal></animals>',
  ),
  propertyRow(
    'wrapped, with both names',
    { ...named('animal'), xml: { name: 'aliens', wrapped: true } },
    ['a', 'b'],
    '<aliens><animal>a</animal><animal>b</animal></aliens>',
  ),
  bodyRow(
    'an attribute, a prefix and a namespace',
    { $ref: '#/components/schemas/Person' },
    { id: 123, name: 'example' },
    '<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>',
  ),
];

const sample = { namespace: 'https://example.com/schema/sample', prefix: 'sample' };

/** Beside the examples: how values look, what references and compositions do. */
const values: Row[] = [
  bodyRow(
    'an integer beyond 2^53',
    { $ref: '#/components/schemas/Person' },
    '{"id":9007199254740993}',
    '<Person id="9007199254740993"/>',
  ),
  propertyRow('empty text', text, '', '<animals/>'),
  propertyRow('an empty list, wrapped', { ...list, xml: { wrapped: true } }, [], '<animals/>'),
  propertyRow(
    'markup',
    text,
    '<a href="x">&amp;]]></a>\r\n',
    '<animals>&lt;a href="x"&gt;&amp;amp;]]&gt;&lt;/a&gt;&#13;\n</animals>',
  ),
  propertyRow(
    'a control character',
    text,
    'a\u0001',
    /"animals" can't be written as XML: it holds the character U\+0001/,
  ),
  propertyRow(
    'null',
    { type: ['string', 'null'] },
    null,
    '<animals xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>',
  ),
  propertyRow('anything', {}, { b: [1, { c: 2 }], d: [] }, '<animals><b>1</b><b><c>2</c></b></animals>'),
  propertyRow(
    'lists in wrapped lists',
    { type: 'array', xml: { wrapped: true }, items: { ...named('c'), xml: { name: 'b', wrapped: true } } },
    [['x', 'y'], ['z']],
    '<animals><b><c>x</c><c>y</c></b><b><c>z</c></b></animals>',
  ),
  propertyRow(
    'a name that is none',
    { type: 'object', additionalProperties: true },
    { 'a b': 1 },
    /"a b" is no name of an element/,
  ),
  bodyRow(
    'attributes: quotes, white space, lists, null',
    {
      type: 'object',
      xml: { name: 'a' },
      properties: {
        q: { ...text, xml: { attribute: true } },
        l: { ...list, xml: { attribute: true, name: 'list' } },
        n: { type: ['string', 'null'], xml: { attribute: true } },
        p: { ...text, xml: { attribute: true, ...sample } },
        u: { ...text, xml: { attribute: true, namespace: 'urn:x' } },
      },
    },
    { q: '<"\t\n\r&>', l: ['x', 'y'], n: null, p: 'z', u: 'w' },
    '<a q="&lt;&quot;&#9;&#10;&#13;&amp;&gt;" list="x y" xmlns:sample="https://example.com/schema/sample" sample:p="z" u="w"/>',
  ),
  bodyRow(
    'the order of the document, then the rest',
    {
      type: 'object',
      xml: { name: 'a' },
      additionalProperties: true,
      properties: { c: text, b: { ...text, xml: { attribute: true } }, d: text },
    },
    { body: { x: 1, d: 'd', b: 'b', c: 'c' } },
    '<a b="b"><c>c</c><d>d</d><x>1</x></a>',
  ),
  bodyRow(
    'a namespace once, a prefix for all below, a default namespace',
    {
      type: 'object',
      xml: { name: 'a', ...sample },
      properties: {
        b: { ...text, xml: sample },
        c: { ...text, xml: { namespace: 'urn:c' } },
        d: { ...text, xml: { prefix: 'sample' } },
        lang: {
          ...text,
          xml: { attribute: true, prefix: 'xml', namespace: 'http://www.w3.org/XML/1998/namespace' },
        },
      },
    },
    { b: '1', c: '2', d: '3', lang: 'en' },
    '<sample:a xmlns:sample="https://example.com/schema/sample" xml:lang="en"><sample:b>1</sample:b><c xmlns="urn:c">2</c><sample:d>3</sample:d></sample:a>',
  ),
  bodyRow(
    'a property is the element, whatever the component is called',
    { $ref: '#/components/schemas/Order' },
    { to: { street: 's' } },
    '<order><to><street>s</street></to></order>',
  ),
  bodyRow(
    'a component that is named',
    { $ref: '#/components/schemas/Order' },
    { pet: { tags: ['t'] } },
    '<order><animal><tags><tag>t</tag></tags></animal></order>',
  ),
  bodyRow(
    'recursion',
    { $ref: '#/components/schemas/Tree' },
    { children: [{ children: [{}] }, {}] },
    '<Tree><child><child/></child><child/></Tree>',
  ),
  bodyRow(
    'a base, then what extends it',
    { $ref: '#/components/schemas/Cat' },
    { body: { claws: 4, id: 1, x: 2 } },
    '<Cat id="1"><claws>4</claws><x>2</x></Cat>',
  ),
  bodyRow(
    'branches',
    { $ref: '#/components/schemas/Either' },
    { body: { l: ['1', '2'] } },
    '<Either><i>1</i><i>2</i></Either>',
  ),
  bodyRow(
    'a list as the document',
    { type: 'array', xml: { name: 'pets' }, items: { $ref: '#/components/schemas/Pet' } },
    { body: [{ tags: ['t'] }] },
    '<pets><animal><tags><tag>t</tag></tags></animal></pets>',
  ),
  {
    ...bodyRow('nothing given, nothing sent', { $ref: '#/components/schemas/Tree' }, {}, ''),
    want: 'POST /',
  },
];

const schemas = {
  Person: {
    type: 'object',
    properties: { id: { ...integer, xml: { attribute: true } }, name: { ...text, xml: sample } },
  },
  Order: {
    type: 'object',
    xml: { name: 'order' },
    properties: {
      to: { $ref: '#/components/schemas/Address' },
      pet: { $ref: '#/components/schemas/Pet' },
      other: { allOf: [{ $ref: '#/components/schemas/Pet' }], xml: { name: 'Other' } },
    },
  },
  Address: { type: 'object', properties: { street: text } },
  Pet: {
    type: 'object',
    xml: { name: 'animal' },
    properties: {
      tags: { type: 'array', xml: { wrapped: true }, items: { $ref: '#/components/schemas/Tag' } },
    },
  },
  Tag: { ...text, xml: { name: 'tag' } },
  Tree: {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Child' } } },
  },
  Child: { allOf: [{ $ref: '#/components/schemas/Tree' }], xml: { name: 'child' } },
  Base: {
    type: 'object',
    xml: { name: 'base' },
    properties: { id: { ...integer, xml: { attribute: true } } },
  },
  Cat: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { type: 'object', properties: { claws: integer }, additionalProperties: true },
    ],
  },
  Either: {
    oneOf: [
      { type: 'object', required: ['a'], properties: { a: text } },
      { type: 'object', required: ['l'], properties: { l: named('i') } },
    ],
  },
};

proveRows('3.0.4', examples, schemas);
proveRows('3.1.1', [...examples, ...values], schemas);

/** OpenAPI 3.2, "XML Node Types". */
const nodeTypes: Row[] = [
  bodyRow(
    'an attribute',
    {
      type: 'object',
      xml: { name: 'a' },
      properties: { b: { ...text, xml: { nodeType: 'attribute' } } },
    },
    { b: 'c' },
    '<a b="c"/>',
  ),
  propertyRow('text', { ...text, xml: { nodeType: 'text' } }, 'x & y', 'x &amp; y'),
  propertyRow(
    'CDATA',
    { ...text, xml: { nodeType: 'cdata' } },
    '<b>]]></b>',
    '<![CDATA[<b>]]]]><![CDATA[></b>]]>',
  ),
  propertyRow(
    'elements in order',
    {
      type: 'array',
      prefixItems: [
        { ...text, xml: { name: 'one' } },
        { ...text, xml: { nodeType: 'text' } },
      ],
      items: { ...text, xml: { name: 'more' } },
    },
    ['a', 'b', 'c'],
    '<one>a</one>b<more>c</more>',
  ),
  propertyRow(
    'a reference in an element of its own',
    { $ref: '#/components/schemas/Address', xml: { nodeType: 'element', name: 'w' } },
    { street: 's' },
    '<w><Address><street>s</street></Address></w>',
  ),
];
proveRows('3.2.0', [...examples, ...nodeTypes], schemas);

const formType = 'application/x-www-form-urlencoded';
const xmlParts = {
  type: 'object',
  properties: {
    pet: { $ref: '#/components/schemas/Pet' },
    to: { $ref: '#/components/schemas/Address' },
    all: { type: 'array', items: { type: 'object' } },
    t: text,
  },
};
const asXml = { contentType: 'application/xml' };

/** OpenAPI, "Encoding Object": a property whose content type is XML. */
proveRows(
  '3.1.1',
  [
    {
      says: 'properties of a form',
      method: 'post',
      operation: {
        requestBody: {
          content: {
            [formType]: { schema: xmlParts, encoding: { pet: asXml, to: asXml, all: asXml, t: asXml } },
          },
        },
      },
      args: { pet: { tags: ['x'] }, to: { street: 's' }, all: [{ a: 1 }, {}], t: '<t/>' },
      want:
        'POST /\nContent-Type: application/x-www-form-urlencoded\n\n' +
        'pet=%3Canimal%3E%3Ctags%3E%3Ctag%3Ex%3C%2Ftag%3E%3C%2Ftags%3E%3C%2Fanimal%3E&to=%3Cto%3E%3Cstreet%3Es%3C%2Fstreet%3E%3C%2Fto%3E' +
        '&all=%3Call%3E%3Ca%3E1%3C%2Fa%3E%3C%2Fall%3E&all=%3Call%2F%3E&t=%3Ct%2F%3E',
    },
  ],
  schemas,
);
