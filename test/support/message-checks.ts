/**
 * Judges what the runtime sends: by the official SDK's own schemas, and by the JSON Schema of the message's revision
 * where their folder is given, in `MCP_SCHEMAS`. They are not part of this repository.
 */
import { specTypeSchemas } from '@modelcontextprotocol/client';
import * as sdk from '@modelcontextprotocol/sdk/types.js';
import { isRecord, writeJson } from '../../templates/runtime/json-rpc.ts';
import { notificationKind, requestKind, resultKind } from './message-kinds.ts';
import { RevisionSchemas } from './revision-schemas.ts';

export const MODERN_REVISION = '2026-07-28';

/** Revisions whose schemas ask an id of every error: what has none is exempt. */
const ERRORS_NEED_ID = new Set(['2024-11-05', '2025-03-26', '2025-06-18']);

const { MCP_SCHEMAS: folder = '' } = process.env;
const revisionSchemas = folder === '' ? undefined : new RevisionSchemas(folder);

export interface SentMessage {
  /** Undefined where nothing says it: the envelope alone is judged. */
  revision: string | undefined;
  message: unknown;
  /** The method that a response answers. */
  requestMethod?: string | undefined;
}

/** @throws {Error} with the schema's words. */
export function checkMessage({ revision, message, requestMethod }: SentMessage): void {
  if (!isRecord(message)) throw new Error('A message is an object.');
  checkEnvelope(revision ?? '2025-11-25', message);
  if (revision === undefined || 'error' in message) return;
  if (typeof message['method'] === 'string') checkSent(revision, message['method'], message);
  else checkResult(revision, requestMethod, message['result'] as Record<string, unknown>);
}

function checkEnvelope(revision: string, message: Record<string, unknown>): void {
  const isExempt = ERRORS_NEED_ID.has(revision) && 'error' in message && !('id' in message);
  if (!isExempt) check(revision, 'JSONRPCMessage', message);
}

function checkSent(revision: string, method: string, message: Record<string, unknown>): void {
  const isModern = revision === MODERN_REVISION;
  if (!('id' in message)) return check(revision, notificationKind(method, isModern), message);
  if (isModern) throw new Error(`A server of ${revision} sends no requests, but sent ${method}.`);
  check(revision, requestKind(method), message);
}

function checkResult(revision: string, method: string | undefined, result: Record<string, unknown>): void {
  if (method === undefined) throw new Error(`This answers no request: ${JSON.stringify(result)}`);
  const isModern = revision === MODERN_REVISION;
  if (isModern) checkModern(revision, method, result);
  check(revision, resultKind(method, result, isModern), result);
}

/** Rules that the SDK leaves open. */
function checkModern(
  revision: string,
  method: string,
  { resultType, inputRequests }: Record<string, unknown>,
): void {
  if (typeof resultType !== 'string') throw new Error(`The result of ${method} has no \`resultType\`.`);
  for (const asked of isRecord(inputRequests) ? Object.values(inputRequests) : []) {
    check(revision, requestKind(isRecord(asked) ? String(asked['method']) : 'nothing'), asked);
  }
}

function check(revision: string, kind: string, value: unknown): void {
  const complaint = sdkComplaint(revision, kind, value) ?? revisionSchemas?.complaint(revision, kind, value);
  if (complaint === undefined) return;
  throw new Error(`Not a ${kind} of ${revision}: ${complaint}\n${writeJson(value)}`);
}

/** What the SDK exports of questions by URL is of 2025-11-25, which has a member that the modern revision took out. */
function asShared(revision: string, kind: string, value: unknown): unknown {
  if (revision !== MODERN_REVISION || kind !== 'ElicitRequest' || !isRecord(value)) return value;
  const { params } = value;
  if (!isRecord(params) || params['mode'] !== 'url') return value;
  return { ...value, params: { elicitationId: 'none', ...params } };
}

/** The client of the modern era has no schema of `InputRequiredResult`, which is a `Result`. */
const modernSchemas: Record<string, unknown> = {
  ...specTypeSchemas,
  InputRequiredResult: specTypeSchemas.Result,
};

function sdkComplaint(revision: string, kind: string, value: unknown): string | undefined {
  const schemas: Record<string, unknown> = revision === MODERN_REVISION ? modernSchemas : sdk;
  const schema = schemas[kind] ?? schemas[`${kind}Schema`];
  if (schema === undefined) return `the SDK knows no ${kind}`;
  const { issues } = (schema as Schema)['~standard'].validate(asShared(revision, kind, value));
  return issues?.map(({ path, message }) => `${(path ?? []).join('.')}: ${message}`).join('; ');
}

/** Interface that the schemas of both packages share (Standard Schema 1). */
interface Schema {
  '~standard': {
    validate: (value: unknown) => { issues?: readonly { path?: readonly PropertyKey[]; message: string }[] };
  };
}
