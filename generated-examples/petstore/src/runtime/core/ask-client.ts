/** What a handler asks its client for: what may be asked, and whether the answer is one. */
import { randomUUID } from 'node:crypto';
import { isRecord } from '../contract/json-value.ts';
import type { ElicitAnswer, ElicitUrlOptions, Root, SampleAnswer, SampleRequest } from '../definition.ts';
import { MISSING_CAPABILITY, ProtocolError } from '../protocol/protocol-error.ts';
import { compileSchema } from '../schema/index.ts';
import type { JsonObject, JsonSchemaObject, ObjectSchema } from '../contract/json-schema.ts';
import type { Question } from './asker.ts';
import { AskError } from './asks.ts';
import type { Call } from './call.ts';
import { flatForm } from './flat-form.ts';
import { knownMessage } from './known-message.ts';
import { toolFault, usesTools } from './tool-results.ts';

/** @throws {AskError} naming what the client lacks, what it refused, or what is wrong with its answer. */
export async function elicitForm(
  call: Call,
  question: Question,
  message: string,
  requestedSchema: ObjectSchema,
): Promise<ElicitAnswer> {
  const { features } = call.agreement;
  if (!features.elicitation.has('form') || !declares(call, 'elicitation', 'form'))
    throw lacks(call, 'The client cannot ask its user by a form.', { elicitation: {} });
  const form = flatForm(requestedSchema, features);
  const params = { ...(features.richForms ? { mode: 'form' } : {}), message, requestedSchema: form };
  const answer = await question.ask('elicitation/create', params);
  const action = actionOf(answer, question);
  return action === 'accept' ? { action, content: checked(answer['content'], form, question) } : { action };
}

/** @throws {AskError} as `elicitForm` */
export async function elicitUrl(
  call: Call,
  question: Question,
  message: string,
  url: string,
  { elicitationId }: ElicitUrlOptions,
): Promise<ElicitAnswer> {
  const { features } = call.agreement;
  if (!features.elicitation.has('url') || !declares(call, 'elicitation', 'url'))
    throw lacks(call, 'The client cannot ask its user by a page.', { elicitation: { url: {} } });
  if (!isPage(url))
    throw new AskError('A page is named by a whole URL, of http or https, without a user or a password.');
  const id = features.elicitationId ? { elicitationId: elicitationId ?? randomUUID() } : {};
  const answer = await question.ask('elicitation/create', { mode: 'url', message, url, ...id });
  return { action: actionOf(answer, question) };
}

/** @throws {AskError} */
export async function sample(call: Call, question: Question, request: SampleRequest): Promise<SampleAnswer> {
  if (!declares(call, 'sampling')) throw lacks(call, 'The client has no model to offer.', { sampling: {} });
  const { features } = call.agreement;
  if (usesTools(request) && !(features.samplingTools && declares(call, 'sampling', 'tools')))
    throw lacks(call, "The client's model cannot use tools.", { sampling: { tools: {} } });
  const fault = toolFault(request.messages);
  if (fault !== undefined) throw new AskError(fault);
  const params = { ...request, messages: request.messages.map((each) => knownMessage(each, features)) };
  const { role, content, model, stopReason } = await question.ask('sampling/createMessage', params);
  const isMessage = (role === 'assistant' || role === 'user') && typeof model === 'string';
  if (!isMessage || !(isRecord(content) || (Array.isArray(content) && content.every(isRecord))))
    throw question.refuse('The client answered sampling/createMessage without a message.');
  return {
    role,
    content: content as JsonObject | JsonObject[],
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
  };
}

/** @throws {AskError} */
export async function listRoots(call: Call, question: Question): Promise<Root[]> {
  if (!declares(call, 'roots')) throw lacks(call, 'The client has no roots to tell.', { roots: {} });
  const { roots } = await question.ask('roots/list', undefined);
  if (!Array.isArray(roots) || !roots.every(isRoot))
    throw question.refuse('The client answered roots/list without a list of roots.');
  return roots;
}

/** A URL that holds credentials would open the page for whoever is given it ("Safe URL Handling"). */
function isPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function isRoot(value: unknown): value is Root {
  return isRecord(value) && typeof value['uri'] === 'string';
}

function actionOf({ action }: Record<string, unknown>, question: Question): ElicitAnswer['action'] {
  if (action === 'accept' || action === 'decline' || action === 'cancel') return action;
  throw question.refuse('The client answered elicitation/create without an action.');
}

/** A modern request says what its client can do, so that the client can say more and come again; a session can't. */
function lacks(call: Call, words: string, requiredCapabilities: JsonObject): Error {
  if (call.session !== undefined) return new AskError(words);
  return new ProtocolError(MISSING_CAPABILITY, words, 'capability', { requiredCapabilities });
}

/** `elicitation: {}` is form only (2025-11-25, "Capabilities"). */
function declares({ agreement }: Call, name: string, part?: string): boolean {
  const { clientCapabilities: capabilities } = agreement;
  const capability = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
  if (!isRecord(capability)) return false;
  if (part === undefined || (part === 'form' && !('url' in capability))) return true;
  return isRecord(capability[part]);
}

function checked(content: unknown, form: JsonSchemaObject, question: Question): JsonObject {
  const filled = content ?? {};
  const [error] = compileSchema(form)(filled);
  if (error === undefined && isRecord(filled)) return filled as JsonObject;
  throw question.refuse(
    `What was filled in does not match the form: ${error?.message ?? 'it is no object'}.`,
  );
}
