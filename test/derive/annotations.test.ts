import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HINT_WORDS } from '../../src/derive/annotations.ts';
import { derive, deriveTool, operation, parameter, response, source } from './support.ts';

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
  ['GET /delete', 'deleteX', 'destructive idempotent'],
  ['GET /users/{delete}', 'getUser', 'read-only idempotent'],
  ['GET /undeleted', 'undeleted', 'read-only idempotent'],
  ['QUERY /send', undefined, 'destructive idempotent'],
  ['GET /transfers/{transfer}', 'GetTransfersTransfer', 'read-only idempotent'],
  ['GET /repos/{repo}/tarball', 'repos/download-tarball-archive', 'read-only idempotent'],
  ['GET /pulls/{number}/merge', 'pulls/check-if-merged', 'read-only idempotent'],
  ['GET /pulls/{number}/merge', 'mergePull', 'destructive idempotent'],
  ['GET /x#Action=Accept', 'GET_AcceptAddressTransfer', 'destructive idempotent'],
  ['GET /cookies/delete', 'getCookiesDelete', 'destructive idempotent'],
  ['POST /transfers', 'getTransfer', ''],
  ['POST /accounts/balance/get', 'accountsBalanceGet', ''],
  ['POST /transfer/list', 'transferList', ''],
  ['POST /transfer/cancel', 'transferCancel', 'destructive'],
  ['POST /link/token/create', 'linkTokenCreate', ''],
  ['POST /x', 'findAndDelete', 'destructive'],
  ['POST /snapshots/upload', 'recover_from_snapshot', 'destructive'],
  ['POST /guests/check-in', 'checkInGuest', 'destructive'],
  ['GET /jobs/{id}/run', 'getJobRun', 'read-only idempotent'],
  ['GET /create-user', 'get_create_user', 'destructive idempotent'],
  ['GET /purgeaudit', 'getPurgeaudit', 'read-only idempotent'],
  ['GET /purge-audit', 'listPurgeAudit', 'read-only idempotent'],
  ['GET /jobs/delete', 'listDeleteJobs', 'read-only idempotent'],
  ['GET /releases/latest', 'getLatestRelease', 'read-only idempotent'],
  ['HEAD /x', undefined, 'read-only idempotent'],
  ['OPTIONS /x', undefined, 'read-only idempotent'],
  ['QUERY /x', undefined, 'read-only idempotent'],
  ['TRACE /x', undefined, 'idempotent'],
  ['PUT /x', undefined, 'destructive idempotent'],
  ['DELETE /x', undefined, 'destructive idempotent'],
  ['POST /x', undefined, 'destructive'],
  ['POST /x', 'createOrUpdateX', 'destructive'],
  ['POST /x', 'created', 'destructive'],
  ['POST /x', 'createAndSend', 'destructive'],
  ['POST /x/search', undefined, ''],
  ['POST /x:query', undefined, ''],
  ['POST /search/{id}', undefined, ''],
  ['POST /search/x', undefined, 'destructive'],
  ['PATCH /x', undefined, 'destructive'],
  ['PATCH /x', 'createX', 'destructive'],
  ['POST /x', 'undeleteX', 'destructive'],
  ['POST /x', 'createClearance', ''],
  ['POST /v1/{name}:purge', undefined, 'destructive'],
  ['POST /cancel/{id}', undefined, 'destructive'],
  ['COPY /x', undefined, 'destructive'],
])('%s %s: %s', (key, id, want) => {
  expect(letters(key, id)).toBe(want);
});

/** 200 operations of real documents, drawn by the seed 44 and judged by reading: hint, operation, operationId, summary, status of success. */
const judged = JSON.parse(readFileSync(new URL('hints-200.json', import.meta.url), 'utf8')) as string[][];
test.each(judged)('%s: %s %s %j', (want, key = '', operationId, summary, status) => {
  const { annotations = {} } = deriveTool(
    operation(key, {
      ...(operationId && { operationId }),
      ...(summary && { summary }),
      ...(status && { responses: [response(status)] }),
    }),
  );
  const { readOnlyHint, destructiveHint } = annotations;
  expect(readOnlyHint === true ? 'reads' : destructiveHint === true ? 'destroys' : 'adds').toBe(want);
});

test.each([
  ['Deletes the cookies of the query', '/x', 'getX', false],
  ['Restart the server', '/x', 'getX', false],
  ['Returns the server', '/x', 'getX', true],
  ['List jobs that delete', '/jobs/delete', 'jobs', true],
  ['Update of the firmware', '/x', 'firmware', true],
  ['Start times', '/x', 'times', true],
  ['Starts a server', '/x', 'power', false],
  ['Toggle light', '/x', 'light', false],
  ['Requests', '/merge_requests', '', true],
])('a GET with the summary %j at %s as %s only reads: %s', (summary, path, operationId, want) => {
  const { annotations } = deriveTool(
    operation(`GET ${path}`, { ...(operationId && { operationId }), summary }),
  );
  expect(annotations?.readOnlyHint).toBe(want);
});

test.each([
  ['Create a page', 'post-page', false],
  ['Get the details of a card', undefined, false],
  ['Create or update a company', 'post-company', true],
  ['Create and send a message', 'post-message', true],
  ['Create a page', 'pages', true],
  ['Check in a guest', undefined, true],
])('a POST with the summary %j as %s is destructive: %s', (summary, operationId, want) => {
  const { annotations } = deriveTool(operation('POST /x', { ...(operationId && { operationId }), summary }));
  expect(annotations?.destructiveHint).toBe(want);
});

test.each([
  ['action', ['start', 'stop'], false],
  ['method', ['user.create', 'user.get'], false],
  ['action', ['list', 'get'], true],
  ['order', ['delete'], true],
])('a GET whose parameter %s takes %j only reads: %s', (name, values, want) => {
  const parameters = [parameter('query', name, { type: 'string', enum: values })];
  const { annotations } = deriveTool(operation('GET /x', { operationId: 'call', parameters }));
  expect(annotations?.readOnlyHint).toBe(want);
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

test.each([...HINT_WORDS.destructive])('%s destroys', (word) => {
  expect(letters(`POST /x/${word}`, 'createX')).toBe('destructive');
  expect(letters('POST /x', `${word}Things`)).toBe('destructive');
  expect(letters('GET /x', `${word}Things`)).toBe('destructive idempotent');
});

test.each([...HINT_WORDS.writing])('a GET that begins with %s changes something', (word) => {
  expect(letters('GET /x', `${word}Things`)).toBe('destructive idempotent');
  expect(letters(`GET /x/{id}/${word}`)).toBe('destructive idempotent');
  expect(letters(`GET /${word}/things`, 'getThings')).toBe('read-only idempotent');
  expect(letters('GET /x', `${word}ed_things`)).toBe('read-only idempotent');
});

test.each([...HINT_WORDS.additive, ...HINT_WORDS.asking])(
  'a POST that begins with %s destroys nothing',
  (word) => {
    expect(letters('POST /x', `${word}Things`)).toBe('');
    expect(letters(`POST /x/${word}`)).toBe('');
  },
);

test('a POST that declares 201 adds something, unless it says otherwise', () => {
  const posted = (operationId: string) =>
    deriveTool(operation('POST /x', { operationId, responses: [response('201')] })).annotations;
  expect(posted('doThings')?.destructiveHint).toBe(false);
  expect(posted('updateThings')?.destructiveHint).toBe(true);
  expect(posted('cancelThings')?.destructiveHint).toBe(true);
});

test('a GET whose words say that it deletes is a warning, unless the document decides', () => {
  const given = operation('GET /x/delete', { operationId: 'getX' });
  const { problems, messages } = derive(source([given]));
  expect(problems).toEqual(['not-read-only']);
  expect(messages[0]).toContain('`GET /x/delete` says "delete"');
  const xMcp = { annotations: { readOnlyHint: true } };
  expect(derive(source([{ ...given, xMcp }])).problems).toEqual([]);
  expect(deriveTool({ ...given, xMcp }).annotations).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
  });
  expect(derive(source([given], { xMcp })).problems).toEqual([]);
});

const both = { readOnlyHint: true, destructiveHint: true };

test.each([
  ['GET /x', both, {}, ['hints-contradict']],
  ['POST /x', both, {}, ['hints-contradict']],
  ['GET /x', { readOnlyHint: true }, { destructiveHint: true }, ['hints-contradict']],
  ['GET /x', { destructiveHint: true }, {}, []],
])('%s with %j, the API %j: destructive, not read-only', (key, annotations, ofApi, want) => {
  const given = operation(key, { xMcp: { annotations } });
  const { model, problems, messages } = derive(source([given], { xMcp: { annotations: ofApi } }));
  expect(model.tools[0]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  expect(problems).toEqual(want);
  if (want.length > 0) expect(messages[0]).toContain(`\`${key}\` says that it only reads`);
});
