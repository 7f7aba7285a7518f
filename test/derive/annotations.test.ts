import { expect, test } from 'vitest';
import { deriveTool, operation } from './support.ts';

const letters = (key: string, operationId?: string) => {
  const { annotations } = deriveTool(operation(key, operationId === undefined ? {} : { operationId }));
  return [
    annotations?.readOnlyHint === true ? 'read-only' : '',
    annotations?.destructiveHint === true ? 'destructive' : '',
    annotations?.idempotentHint === true ? 'idempotent' : '',
  ]
    .filter((word) => word !== '')
    .join(' ');
};

test.each([
  ['GET /x', undefined, 'read-only idempotent'],
  ['GET /delete', 'deleteX', 'read-only idempotent'],
  ['HEAD /x', undefined, 'read-only idempotent'],
  ['OPTIONS /x', undefined, 'read-only idempotent'],
  ['QUERY /x', undefined, 'read-only idempotent'],
  ['TRACE /x', undefined, 'idempotent'],
  ['PUT /x', undefined, 'destructive idempotent'],
  ['DELETE /x', undefined, 'destructive idempotent'],
  ['POST /x', undefined, ''],
  ['PATCH /x', undefined, ''],
  ['POST /x', 'deleteX', 'destructive'],
  ['POST /x', 'x_remove', 'destructive'],
  ['PATCH /x', 'resetPassword', 'destructive'],
  ['POST /x', 'undeleteX', ''],
  ['POST /x', 'clearance', ''],
  ['POST /orders/{id}/cancel', undefined, 'destructive'],
  ['POST /v1/{name}:purge', undefined, 'destructive'],
  ['POST /cancel/{id}', undefined, ''],
  ['POST /Revoke', undefined, 'destructive'],
  ['COPY /x', undefined, 'destructive'],
])('%s %s: %s', (key, id, want) => {
  expect(letters(key, id)).toBe(want);
});

test('the world is open, and x-mcp overrides each hint', () => {
  const given = operation('DELETE /x', { xMcp: { annotations: { destructiveHint: false } } });
  const tool = deriveTool(given, { xMcp: { annotations: { destructiveHint: true, openWorldHint: false } } });
  expect(tool.annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(deriveTool(operation('GET /x')).annotations?.openWorldHint).toBe(true);
});

test.each(['delete', 'remove', 'purge', 'clear', 'reset', 'revoke', 'cancel', 'terminate'])(
  '%s destroys',
  (word) => {
    expect(letters(`POST /x/${word}`)).toBe('destructive');
    expect(letters('PATCH /x', `${word}Things`)).toBe('destructive');
  },
);
