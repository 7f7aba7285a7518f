/** A document that holds a text wherever it may stand. */
export function documentWith(text: string): object {
  const schema = {
    ...{ title: text, description: text, default: text, examples: [text], enum: [text, 'b'], format: text },
    ...{ type: 'string', $comment: text, 'x-note': text, 'x-enum-descriptions': [text] },
  };
  const object = {
    type: 'object',
    title: text,
    description: text,
    properties: { [text]: schema, plain: { type: 'object', properties: { [text]: { type: 'integer' } } } },
    required: [text],
    patternProperties: { [text]: true },
    additionalProperties: { description: text },
  };
  const content = {
    'application/json': {
      schema: { $ref: `#/components/schemas/${pointerOf(text)}` },
      example: { [text]: text },
    },
  };
  const answer = {
    description: text,
    headers: { [text]: { description: text, schema } },
    links: { next: { operationId: 'getPlain', description: text } },
    content,
  };
  const operation = (id: string): object => ({
    ...{ operationId: id, summary: text, description: text, tags: [text] },
    externalDocs: { url: `https://docs.example/${text}`, description: text },
    'x-mcp': { title: text, description: text, icons: [{ src: text, mimeType: text }] },
    parameters: [
      ...['query', 'header', 'cookie'].map((place) => ({ name: text, in: place, description: text, schema })),
      { name: 'given', in: 'query', description: text, required: true, schema, example: text },
      // Texts that no header can have as its name would leave out the feature `parameters`.
      {
        ...{ name: 'X-Given', in: 'header', description: text, schema },
        examples: { one: { summary: text, value: text } },
      },
    ],
    requestBody: { description: text, content },
    responses: { 200: answer, [text]: answer, default: answer },
    callbacks: { made: { '{$request.body#/url}': { post: { description: text, responses: {} } } } },
    security: [{ [text]: [text] }],
  });
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: text, version: text, summary: text, description: text, termsOfService: text },
      contact: { name: text, url: text, email: text },
      license: { name: text, identifier: text },
    },
    servers: [
      {
        url: 'https://{v}.api.example/{w}',
        description: text,
        variables: { v: { default: text, description: text, enum: [text] }, w: { default: text } },
      },
      { url: text, description: text },
    ],
    tags: [{ name: text, description: text, externalDocs: { url: text } }],
    'x-mcp': { title: text, description: text, websiteUrl: text },
    'x-mcp-prompts': [
      {
        name: text,
        title: text,
        description: text,
        template: `${text} {{plain}}`,
        arguments: [{ name: text, description: text }],
      },
      // A prompt whose name has nothing visible is left out; this one stays.
      { name: 'plain', template: `plain ${text}` },
    ],
    paths: {
      '/plain/{id}': {
        summary: text,
        description: text,
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: text,
            schema: { type: 'string', enum: [text, 'b'] },
          },
        ],
        get: operation('getPlain'),
        post: operation(text),
      },
      [`/${text}`]: { get: operation(`${text} 2`), put: { ...operation('put'), 'x-mcp': { name: text } } },
    },
    webhooks: { [text]: { post: operation('hook') } },
    components: {
      schemas: { [text]: object },
      securitySchemes: {
        [text]: { type: 'apiKey', in: 'header', name: text, description: text },
        oauth: {
          type: 'oauth2',
          description: text,
          flows: { clientCredentials: { tokenUrl: text, scopes: { [text]: text } } },
        },
      },
    },
    security: [{ oauth: [text] }],
  };
}

/** As a document says it: half a character has no form in a URI. */
function pointerOf(text: string): string {
  const escaped = Buffer.from(text).toString().replaceAll('~', '~0').replaceAll('/', '~1');
  return encodeURIComponent(escaped);
}
