/** What a handler asks its client for, as requests on the session (legacy revisions). */
import { randomUUID } from 'node:crypto';
import type {
  ElicitAnswer,
  ElicitForm,
  ElicitUrl,
  Root,
  SampleAnswer,
  SampleRequest,
} from '../definition.ts';
import { isRecord } from '../protocol/json-rpc.ts';
import { compileSchema } from '../schema/index.ts';
import type { JsonObject, JsonSchemaObject } from '../schema/json-schema.ts';
import { AskError } from './asks.ts';
import type { Call } from './call.ts';

/** @throws {AskError} naming what the client lacks, what it refused, or what is wrong with its answer. */
export async function elicit(call: Call, question: ElicitForm | ElicitUrl): Promise<ElicitAnswer> {
  const mode = 'url' in question ? 'url' : 'form';
  const { features, clientCapabilities } = call.agreement;
  if (!features.elicitation.has(mode) || !declares(clientCapabilities, 'elicitation', mode)) {
    throw new AskError(`The client cannot ask its user by ${mode === 'url' ? 'a page' : 'a form'}.`);
  }
  const form = 'url' in question ? undefined : flatForm(question.requestedSchema, features.richForms);
  const params =
    'url' in question
      ? {
          mode,
          message: question.message,
          url: question.url,
          elicitationId: question.elicitationId ?? randomUUID(),
        }
      : { ...(features.richForms ? { mode } : {}), message: question.message, requestedSchema: form };
  const { action, content } = await ask(call, 'elicitation/create', params);
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new AskError('The client answered elicitation/create without an action.');
  if (action !== 'accept' || form === undefined) return { action };
  return { action, content: checked(content, form) };
}

/** @throws {AskError} */
export async function sample(call: Call, request: SampleRequest): Promise<SampleAnswer> {
  const { features, clientCapabilities } = call.agreement;
  if (!declares(clientCapabilities, 'sampling')) throw new AskError('The client has no model to offer.');
  const asksTools = request.tools !== undefined || request.toolChoice !== undefined;
  if (asksTools && !(features.samplingTools && declares(clientCapabilities, 'sampling', 'tools')))
    throw new AskError("The client's model cannot use tools.");
  const { role, content, model, stopReason } = await ask(call, 'sampling/createMessage', request);
  const isMessage = (role === 'assistant' || role === 'user') && typeof model === 'string';
  if (!isMessage || !(isRecord(content) || (Array.isArray(content) && content.every(isRecord))))
    throw new AskError('The client answered sampling/createMessage without a message.');
  return {
    role,
    content: content as JsonObject | JsonObject[],
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
  };
}

/** @throws {AskError} */
export async function listRoots(call: Call): Promise<Root[]> {
  if (!declares(call.agreement.clientCapabilities, 'roots'))
    throw new AskError('The client has no roots to tell.');
  const { roots } = await ask(call, 'roots/list', undefined);
  if (!Array.isArray(roots) || !roots.every(isRoot))
    throw new AskError('The client answered roots/list without a list of roots.');
  return roots;
}

function isRoot(value: unknown): value is Root {
  return isRecord(value) && typeof value['uri'] === 'string';
}

async function ask(call: Call, method: string, params: object | undefined): Promise<Record<string, unknown>> {
  const { exchange, project, work } = call;
  const { session } = exchange;
  // Lifecycle, "Initialization": before `notifications/initialized` the server asks nothing but `ping`.
  if (!session.ready) throw new AskError('The client is not ready to be asked.');
  const { signal } = work;
  return session.asks.ask(method, params, {
    send: (message) => exchange.send(message),
    signal,
    timeoutMs: project.limits.askTimeoutMs,
  });
}

/** `elicitation: {}` is form only (2025-11-25, "Capabilities"). */
function declares(capabilities: JsonObject, name: string, part?: string): boolean {
  const capability = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
  if (!isRecord(capability)) return false;
  if (part === undefined || (part === 'form' && !('url' in capability))) return true;
  return isRecord(capability[part]);
}

/** The form as the revision knows it. Older ones have single choices (`enum`) and boolean defaults only. */
function flatForm(schema: JsonSchemaObject, isRich: boolean): JsonSchemaObject {
  if (isRich) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    plainField(name, field),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, JsonSchemaObject> };
}

function plainField(name: string, field: unknown): JsonSchemaObject {
  if (!isRecord(field) || field['type'] === 'array')
    throw new AskError(`The client knows no field like ${name}: it has single choices only.`);
  const { oneOf, default: preset, ...rest } = field as JsonSchemaObject;
  const kept = typeof preset === 'boolean' ? { ...rest, default: preset } : rest;
  if (oneOf === undefined) return kept;
  const choices = oneOf.filter(isRecord);
  return {
    ...kept,
    enum: choices.map((choice) => String(choice['const'])),
    enumNames: choices.map((choice) => String(choice['title'] ?? choice['const'])),
  };
}

function checked(content: unknown, form: JsonSchemaObject): JsonObject {
  const [error] = compileSchema(form)(content ?? {});
  if (error !== undefined || !isRecord(content ?? {}))
    throw new AskError(`What was filled in does not match the form: ${error?.message ?? 'it is no object'}.`);
  return (content ?? {}) as JsonObject;
}
