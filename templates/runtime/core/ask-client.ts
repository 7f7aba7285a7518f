// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Elicitation, sampling and roots: what clients can be asked, and whether answers are valid. */
import { randomUUID } from 'node:crypto';
import { cutToWellFormedText } from '../contract/http-syntax.ts';
import { omitUndefined, isRecord, getOwnMember, writeJson } from '../contract/json-value.ts';
import type { Context } from '../definition.ts';
import { MISSING_CAPABILITY, ProtocolError } from '../protocol/json-rpc.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { type StandardIssue, describeIssue } from '../schema/run.ts';
import type { JsonObject, JsonSchemaObject, ListedTool, ObjectSchema } from '../contract/json-schema.ts';
import type {
  ElicitAnswer,
  ElicitUrlOptions,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleRequest,
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from '../questions.ts';
import { type Question, AskError } from './session.ts';
import { hashParams, runRound } from './rounds.ts';
import { type Call, describeThrown } from './call.ts';
import { type RevisionFeatures, withoutMembers } from '../protocol/revisions.ts';

export { getClientRequester } from './client-requests.ts';
export { runRound };

/** @throws {AskError} naming what the client lacks or refused, or the fault of its answer */
export async function elicitForm(
  call: Call,
  question: Question,
  message: string,
  schema: object,
): Promise<ElicitAnswer<never>> {
  const { features } = call.agreement;
  if (!features.elicitation.has('form') || !declaresCapability(call, 'elicitation', 'form'))
    throw missingCapabilityError(call, 'The client cannot ask its user by a form.', { elicitation: {} });
  const form = fitFormToRevision(toFormSchema(schema), features);
  const mode = features.richForms ? 'form' : undefined;
  const params = omitUndefined({ mode, message, requestedSchema: form });
  const answer = await question.ask('elicitation/create', params);
  const action = parseElicitAction(answer, question);
  if (action !== 'accept') return { action };
  const filled = parseFilledForm(answer['content'], form, question);
  const content = isStandardSchema(schema) ? await validateFilledForm(schema, filled, question) : filled;
  return { action, content: content as never };
}

type FormStandard = StandardJSONSchemaV1 & Partial<StandardSchemaV1>;

/** A schema may be a function: those of some libraries are. */
function isStandardSchema(schema: unknown): schema is FormStandard {
  return Object(schema) === schema && '~standard' in (schema as object);
}

function toFormSchema(schema: unknown): JsonSchemaObject {
  if (isStandardSchema(schema)) return formOfStandardSchema(schema['~standard']);
  if (!isRecord(schema)) throw new AskError('A form is made of fields: `{ age: { type: "integer" } }`.');
  if (schema['type'] === 'object') return schema;
  const isRequiredField = ([, field]: [string, unknown]): boolean =>
    !isRecord(field) || field['required'] !== false;
  const fields = Object.entries(schema);
  const needed = fields.filter(isRequiredField).map(([name]) => name);
  const properties = fields.map(([name, field]) => [name, dropRequiredFlag(field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, JsonSchemaObject>,
    ...(needed.length > 0 && { required: needed }),
  };
}

function dropRequiredFlag(field: unknown): unknown {
  if (!isRecord(field) || typeof field['required'] !== 'boolean') return field;
  const { required, ...rest } = field;
  void required;
  return rest;
}

function formOfStandardSchema({ jsonSchema, vendor }: FormStandard['~standard']): JsonSchemaObject {
  if (!isRecord(jsonSchema) || typeof jsonSchema.input !== 'function')
    throw new AskError(
      `The schema of ${vendor} has no \`~standard.jsonSchema\`: a newer version may have it.`,
    );
  const { $schema, ...form } = readInputJsonSchema(jsonSchema, vendor);
  void $schema;
  if (form['type'] === 'object') return form;
  throw new AskError(`A form is an object, but the schema of ${vendor} is of another type.`);
}

function readInputJsonSchema(
  { input }: FormStandard['~standard']['jsonSchema'],
  vendor: string,
): Record<string, unknown> {
  try {
    return input({ target: 'draft-2020-12' });
  } catch (thrown) {
    throw new AskError(`${vendor} can't say the schema as JSON Schema: ${describeThrown(thrown)}`);
  }
}

async function validateFilledForm(
  { '~standard': { validate } }: FormStandard,
  filled: JsonObject,
  question: Question,
): Promise<unknown> {
  const result = await validate?.(filled);
  if (result === undefined) return filled;
  // Projects without strict null checks don't narrow the union.
  const { issues, value } = result as { issues?: readonly StandardIssue[]; value?: unknown };
  if (issues === undefined) return value;
  const faults = issues.map((each) => describeIssue(each));
  throw question.refuse(`What was filled in does not match the form: ${faults.join('; ')}.`);
}

const CONFIRMATION: ObjectSchema = {
  type: 'object',
  properties: { confirm: { type: 'boolean', title: 'Run it' } },
  required: ['confirm'],
};

/** Number of characters of the arguments, of one text among them, and of their names, that a question shows to the user. */
const SHOWN = { arguments: 2_000, text: 200, names: 1_000 };

/** The names of all arguments are shown where their values are cut. Direction marks would make the user read another text. */
function printArguments(args: JsonObject): string {
  const cut = (text: string, most: number): string =>
    text.length > most ? `${cutToWellFormedText(text, most)}…` : text;
  const escape = (text: string): string =>
    text.replace(/\p{Cf}/gu, (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  const values = escape(
    writeJson(args, (member) => (typeof member === 'string' ? cut(member, SHOWN.text) : member)),
  );
  if (values.length <= SHOWN.arguments) return values;
  return `${cut(values, SHOWN.arguments)}\nAll arguments: ${cut(escape(Object.keys(args).join(', ')), SHOWN.names)}`;
}

/**
 * `--confirm destructive`. The user sees the arguments as the client sent them, but for what is cut. The key has all of them, since code may make the
 * call with others when it runs again.
 * @throws {AskError} if the client can't ask its user
 */
export async function askToConfirmCall(
  context: Context,
  { name, title = name }: ListedTool,
  args: object,
): Promise<boolean> {
  const question = `${title} (${name}) may delete or overwrite data. Run it with these arguments?\n${printArguments(args as JsonObject)}`;
  const options = { key: `confirm ${hashParams({ name, arguments: args })}`, once: true };
  const { action, content } = await context
    .elicit(question, CONFIRMATION, options)
    .catch((thrown: unknown) => {
      const begin = `${name} was not run. The server asks its user before this tool runs (--confirm destructive).`;
      if (thrown instanceof ProtocolError && thrown.code === MISSING_CAPABILITY)
        throw new ProtocolError(thrown.code, `${begin} ${thrown.message}`, thrown.origin, thrown.data);
      throw thrown instanceof AskError ? new AskError(`${begin} ${thrown.message}`) : thrown;
    });
  return action === 'accept' && content?.['confirm'] === true;
}

export async function elicitUrl(
  call: Call,
  question: Question,
  message: string,
  url: string,
  { elicitationId }: ElicitUrlOptions = {},
): Promise<Pick<ElicitAnswer, 'action'>> {
  const { features } = call.agreement;
  if (!features.elicitation.has('url') || !declaresCapability(call, 'elicitation', 'url'))
    throw missingCapabilityError(call, 'The client cannot ask its user by a page.', {
      elicitation: { url: {} },
    });
  if (!isSafePageUrl(url))
    throw new AskError('A page is named by a whole URL, of http or https, without a user or a password.');
  const id = features.elicitationId ? (elicitationId ?? randomUUID()) : undefined;
  const params = omitUndefined({ mode: 'url', message, url, elicitationId: id });
  const answer = await question.ask('elicitation/create', params);
  return { action: parseElicitAction(answer, question) };
}

export async function sample(call: Call, question: Question, request: SampleRequest): Promise<SampleAnswer> {
  if (!declaresCapability(call, 'sampling'))
    throw missingCapabilityError(call, 'The client has no model to offer.', { sampling: {} });
  const { features } = call.agreement;
  if (usesTools(request) && !(features.samplingTools && declaresCapability(call, 'sampling', 'tools')))
    throw missingCapabilityError(call, "The client's model cannot use tools.", { sampling: { tools: {} } });
  const fault = findToolUseFault(request.messages);
  if (fault !== undefined) throw new AskError(fault);
  const params = { ...request, messages: request.messages.map((each) => fitSampleMessage(each, features)) };
  const { role, content, model, stopReason } = await question.ask('sampling/createMessage', params);
  const isMessage = (role === 'assistant' || role === 'user') && typeof model === 'string';
  if (!isMessage || !(isRecord(content) || (Array.isArray(content) && content.every(isRecord))))
    throw question.refuse('The client answered sampling/createMessage without a message.');
  return {
    role,
    content: content as JsonObject | JsonObject[],
    model,
    ...omitUndefined({ stopReason: typeof stopReason === 'string' ? stopReason : undefined }),
  };
}

export async function listRoots(call: Call, question: Question): Promise<Root[]> {
  if (!declaresCapability(call, 'roots'))
    throw missingCapabilityError(call, 'The client has no roots to tell.', { roots: {} });
  const { roots } = await question.ask('roots/list', undefined);
  if (!Array.isArray(roots) || !roots.every(isRoot))
    throw question.refuse('The client answered roots/list without a list of roots.');
  return roots;
}

/** Credentials would open the page for everyone who gets the URL ("Safe URL Handling"). */
function isSafePageUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function isRoot(value: unknown): value is Root {
  return isRecord(value) && typeof value['uri'] === 'string';
}

function parseElicitAction({ action }: Record<string, unknown>, question: Question): ElicitAnswer['action'] {
  if (action === 'accept' || action === 'decline' || action === 'cancel') return action;
  throw question.refuse('The client answered elicitation/create without an action.');
}

/** A client may repeat a modern request with more capabilities. A session can't change them. */
function missingCapabilityError(call: Call, words: string, requiredCapabilities: JsonObject): Error {
  if (call.session?.isAlone === true)
    return new AskError("The client can't be asked, since this server has no sessions (--stateless).");
  if (call.session !== undefined) return new AskError(words);
  return new ProtocolError(MISSING_CAPABILITY, words, 'capability', { requiredCapabilities });
}

/** `elicitation: {}` is form only (2025-11-25, "Capabilities"). */
function declaresCapability({ agreement }: Call, name: string, part?: string): boolean {
  const capability = getOwnMember(agreement.clientCapabilities, name);
  if (!isRecord(capability)) return false;
  if (part === undefined || (part === 'form' && !('url' in capability))) return true;
  return isRecord(getOwnMember(capability, part));
}

function parseFilledForm(content: unknown, form: JsonSchemaObject, question: Question): JsonObject {
  const filled = content ?? {};
  const [error] = compileSchema(form)(filled);
  const large = Object.entries(filled).find(([, value]) => typeof value === 'bigint');
  if (error === undefined && large === undefined && isRecord(filled)) return filled as JsonObject;
  const fault = error?.message ?? (large ? `\`${large[0]}\` is beyond ±2^53` : 'it is no object');
  throw question.refuse(`What was filled in does not match the form: ${fault}.`);
}

/** Forms must not ask for other formats, such as passwords. */
const FORMATS: readonly unknown[] = [undefined, 'email', 'uri', 'date', 'date-time'];

/** Other keywords describe nested values, or nothing that a form shows. */
const TOP = '$schema type title description properties required additionalProperties'.split(' ');

/** Older revisions have single choices (`enum`) and boolean defaults only. @throws {AskError} naming the field or keyword */
export function fitFormToRevision(
  schema: JsonSchemaObject,
  { richForms }: Pick<RevisionFeatures, 'richForms'>,
): JsonSchemaObject {
  const other = Object.keys(schema).find((keyword) => !TOP.includes(keyword));
  if (other !== undefined || typeof schema.additionalProperties === 'object')
    throw new AskError(
      `A form cannot have \`${other ?? 'additionalProperties'}\`: all its fields stand in \`properties\`.`,
    );
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const plain = checkPlainField(name, field);
    return [name, richForms ? plain : fitFieldToOldRevision(name, plain)];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchemaObject> };
}

function checkPlainField(name: string, field: unknown): JsonSchemaObject {
  if (!isRecord(field) || !isPlainField(field))
    throw new AskError(
      `The field \`${name}\` cannot be part of a form: fields are texts, numbers, booleans, and choices among texts.`,
    );
  if (!FORMATS.includes(field['format']))
    throw new AskError(
      `The field \`${name}\` cannot be part of a form: texts may be of the format email, uri, date or date-time. ` +
        'Secrets are asked for by `elicitUrl`.',
    );
  return field as JsonSchemaObject;
}

function isPlainField({ type, items }: Record<string, unknown>): boolean {
  if (type === 'array')
    return isRecord(items) && (Array.isArray(items['enum']) || Array.isArray(items['anyOf']));
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
}

function fitFieldToOldRevision(name: string, field: JsonSchemaObject): JsonSchemaObject {
  if (field.type === 'array')
    throw new AskError(`The client knows no field like ${name}: it has single choices only.`);
  const { oneOf, default: preset, ...rest } = field;
  const kept = typeof preset === 'boolean' ? { ...rest, default: preset } : rest;
  if (oneOf === undefined) return kept;
  const choices = oneOf.filter(isRecord);
  return {
    ...kept,
    enum: choices.map((choice) => String(choice['const'])),
    enumNames: choices.map((choice) => String(choice['title'] ?? choice['const'])),
  };
}

/** @throws {AskError} for content that the revision lacks: a part of a question is another question */
export function fitSampleMessage(
  { role, content, ...rest }: SampleMessage,
  features: RevisionFeatures,
): SampleMessage {
  const blocks = [content].flat().map((block) => fitContentBlock(block, features));
  // Revisions without tools in sampling have one block in each message, and no other members.
  if (features.samplingTools)
    return { ...rest, role, content: Array.isArray(content) ? blocks : requireSingleBlock(blocks) };
  return { role, content: requireSingleBlock(blocks) };
}

function requireSingleBlock(blocks: readonly JsonObject[]): JsonObject {
  const [block] = blocks;
  if (block !== undefined && blocks.length === 1) return block;
  throw new AskError("The client's model takes one content block a message.");
}

/** Content of these kinds may be sent; use of tools was checked before. */
const KINDS: readonly unknown[] = ['text', 'image', 'tool_use', 'tool_result'];

function fitContentBlock(block: JsonObject, { content, unknownMembers }: RevisionFeatures): JsonObject {
  const { type } = block;
  if (KINDS.includes(type) || (type === 'audio' && content.has('audio')))
    return withoutMembers(block, unknownMembers.content) as JsonObject;
  throw new AskError(`The client's model takes no content of the kind ${String(type)}.`);
}

/** Tool uses must be followed by a message of their results alone. */
export function findToolUseFault(messages: readonly SampleMessage[]): string | undefined {
  let used: unknown[] = [];
  for (const { role, content } of messages) {
    const blocks = [content].flat();
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ toolUseId }) => toolUseId);
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length))
      return 'Tool results stand in messages of the user, with nothing else.';
    if (!isSame(used, results)) return 'Each tool use must be answered by a result in the next message.';
    used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  return used.length === 0 ? undefined : 'Each tool use must be answered by a result in the next message.';
}

export function usesTools({ messages, tools, toolChoice }: SampleRequest): boolean {
  if (tools !== undefined || toolChoice !== undefined) return true;
  const blocks = messages.flatMap(({ content }) => [content].flat());
  return blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result');
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
