/** Tools that answer with each kind of content, and one with a schema that uses much of JSON Schema 2020-12. */
import type { ContentBlock, ExtraTool } from '../../../templates/runtime/index.ts';
import { NO_ARGUMENTS, PNG, WAV } from './samples.ts';

const text: ContentBlock = { type: 'text', text: 'This is a simple text response for testing.' };
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const audio: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

function resource(uri: string, mimeType: string, words: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text: words } };
}

function answering(name: string, description: string, content: ContentBlock[]): ExtraTool {
  return { name, description, inputSchema: NO_ARGUMENTS, handler: () => content };
}

export const contentTools: ExtraTool[] = [
  answering('test_simple_text', 'Answers with a text.', [text]),
  answering('test_image_content', 'Answers with an image.', [image]),
  answering('test_audio_content', 'Answers with audio.', [audio]),
  answering('test_embedded_resource', 'Answers with a resource in the message.', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  answering('test_multiple_content_types', 'Answers with a text, an image and a resource.', [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  {
    name: 'test_error_handling',
    description: 'Always fails.',
    inputSchema: NO_ARGUMENTS,
    handler: () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    handler: (args) => `Reached by ${JSON.stringify(args)}`,
  },
  {
    name: 'test_x_mcp_header',
    description: 'Has an argument that HTTP clients repeat in a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    handler: ({ region = 'nowhere' }) => `The region is ${String(region)}.`,
  },
];
