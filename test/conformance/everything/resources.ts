import type { ResourceDefinition, ResourceTemplateDefinition } from '../../../templates/runtime/index.ts';
import { PNG } from './samples.ts';

export const resources: Record<string, ResourceDefinition> = {
  'test://static-text': {
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  },
  'test://static-binary': {
    name: 'static-binary',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    read: () => Buffer.from(PNG, 'base64'),
  },
  'test://watched-resource': {
    name: 'watched-resource',
    description: 'A text to subscribe to.',
    mimeType: 'text/plain',
    read: () => 'Watched.',
  },
};

export const resourceTemplates: Record<string, ResourceTemplateDefinition> = {
  'test://template/{id}/data': {
    name: 'template',
    description: 'Data by id.',
    mimeType: 'application/json',
    read: (_, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
};
