// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Elicitation, sampling and roots: what a client can be asked, and which of its answers count. */
import { randomUUID } from 'node:crypto';
import type { Call } from '../../feature.ts';
import { fit, isRecord, MISSING_CAPABILITY, ownMember, RpcError } from '../../json-rpc.ts';
import { type Content, type JsonObject, ToolError } from '../../types.ts';
import { type FilledForm, type FormSchema, readFilledForm, toForm } from './forms.ts';

/** `key` names the question where a handler runs again (2026-07-28). Default: by order, which must then not change. */
export interface AskOptions {
  key?: string;
  /** The answer is accepted once (2026-07-28; in sessions each is). Default false. */
  once?: boolean;
}
export interface ElicitUrlOptions extends AskOptions {
  /** Identifies the question in the notification of its end (2025-11-25). Default: random. */
  elicitationId?: string;
}
/** `content` is checked by the form. */
export type ElicitAnswer<C = JsonObject> =
  { action: 'accept'; content: C } | { action: 'decline' | 'cancel'; content?: undefined };
export interface SampleMessage {
  role: 'user' | 'assistant';
  content: JsonObject | JsonObject[];
}
export interface SampleRequest {
  /** The message after a tool use holds its result, and nothing else. */
  messages: SampleMessage[];
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: string[];
  modelPreferences?: JsonObject;
  metadata?: JsonObject;
  /** Since 2025-11-25, for clients that declare `sampling.tools`. */
  tools?: JsonObject[];
  toolChoice?: { mode: 'auto' | 'required' | 'none' };
}
export interface SampleAnswer extends SampleMessage {
  model: string;
  stopReason?: string;
}
export interface Root {
  uri: string;
  name?: string;
}
export interface Questions {
  /**
   * Asks the user by a form (since 2025-06-18) of texts, numbers, booleans and choices. Don't ask for secrets: client and model read
   * the answer. @throws {Error} if the client can't ask, or doesn't answer
   */
  elicit<const S extends FormSchema>(
    message: string,
    schema: S,
    options?: AskOptions,
  ): Promise<ElicitAnswer<FilledForm<S>>>;
  /**
   * Sends the user to a page (since 2025-11-25), which may ask for secrets. Its URL (http or https, without credentials) must say nothing
   * about the user, and the page must check who opens it.
   */
  elicitUrl(message: string, url: string, options?: ElicitUrlOptions): Promise<Pick<ElicitAnswer, 'action'>>;
  /** Asks the client's model. @throws {Error} if it has none, or the request is refused */
  sample(request: SampleRequest, options?: AskOptions): Promise<SampleAnswer>;
  /** The folders and files that the client works on. @throws {Error} if it has no list */
  roots(options?: AskOptions): Promise<Root[]>;
}

/** One way to ask a client: by messages of its session or its task, or by rounds. */
export interface Asker {
  ask(
    method: string,
    params: object | undefined,
    options: AskOptions | undefined,
  ): Promise<{ answer: Record<string, unknown>; refuse: (reason: string) => Error }>;
}

export function makeQuestions(call: Call, asker: Asker): Questions {
  const { agreement } = call.request;
  const { revision } = agreement;
  /** A client may repeat a request of 2026-07-28 with more capabilities; a session can't change them. */
  const require = (isThere: boolean, reason: string, requiredCapabilities: object): void => {
    if (isThere) return;
    if (agreement.era === 'legacy') throw new ToolError(reason);
    throw new RpcError(MISSING_CAPABILITY, reason, { status: 400, data: { requiredCapabilities } });
  };
  /** `elicitation: {}` is form only (2025-11-25, "Capabilities"). */
  const declares = (name: string, part?: string): boolean => {
    const capability = ownMember(agreement.clientCapabilities, name);
    if (!isRecord(capability)) return false;
    if (part === undefined || (part === 'form' && !('url' in capability))) return true;
    return isRecord(ownMember(capability, part));
  };
  const elicitBy = async (params: object, options?: AskOptions) => {
    const { answer, refuse } = await asker.ask('elicitation/create', params, options);
    const { action, content } = answer;
    const reply = ACTIONS.find((name) => name === action);
    if (reply !== undefined) return { action: reply, content, refuse };
    throw refuse('The client answered elicitation/create without an action.');
  };
  return {
    elicit: async (message, schema, options) => {
      const canAsk = revision >= '2025-06-18' && declares('elicitation', 'form');
      require(canAsk, 'The client cannot show its user a form.', { elicitation: {} });
      const form = toForm(schema, revision);
      const mode = revision >= '2025-11-25' ? { mode: 'form' } : {};
      const { action, content, refuse } = await elicitBy(
        { ...mode, message, requestedSchema: form },
        options,
      );
      if (action !== 'accept') return { action };
      return { action, content: (await readFilledForm(content, form, schema, refuse)) as never };
    },
    elicitUrl: async (message, url, { elicitationId = randomUUID() as string, ...options } = {}) => {
      const canAsk = revision >= '2025-11-25' && declares('elicitation', 'url');
      require(canAsk, 'The client cannot show its user a page.', { elicitation: { url: {} } });
      if (!isPage(url))
        throw new ToolError(
          'A page is named by a whole URL, of http or https, without a user or a password.',
        );
      const id = revision === '2025-11-25' ? { elicitationId } : {};
      const { action } = await elicitBy({ mode: 'url', message, url, ...id }, options);
      return { action };
    },
    sample: async (request, options) => {
      require(declares('sampling'), 'The client has no model to offer.', { sampling: {} });
      const canUseTools = revision >= '2025-11-25' && declares('sampling', 'tools');
      require(canUseTools || !usesTools(request), "The client's model cannot use tools.", {
        sampling: { tools: {} },
      });
      checkToolUses(request.messages);
      const messages = request.messages.map((message) => fitMessage(message, revision));
      const { answer, refuse } = await asker.ask('sampling/createMessage', { ...request, messages }, options);
      const { role, content, model, stopReason } = answer;
      const isContent = isRecord(content) || (Array.isArray(content) && content.every(isRecord));
      if ((role !== 'assistant' && role !== 'user') || typeof model !== 'string' || !isContent)
        throw refuse('The client answered sampling/createMessage without a message.');
      const reason = typeof stopReason === 'string' ? { stopReason } : {};
      return { role, content: content as JsonObject | JsonObject[], model, ...reason };
    },
    roots: async (options) => {
      require(declares('roots'), 'The client has no roots to tell.', { roots: {} });
      const { answer, refuse } = await asker.ask('roots/list', undefined, options);
      const { roots } = answer;
      const isRoot = (root: unknown): root is Root => isRecord(root) && typeof root['uri'] === 'string';
      if (Array.isArray(roots) && roots.every(isRoot)) return roots;
      throw refuse('The client answered roots/list without a list of roots.');
    },
  };
}

/** Credentials would open the page for everyone who gets the URL ("Safe URL Handling"). */
function isPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

const blocksOf = ({ content }: SampleMessage): JsonObject[] => [content].flat();

function usesTools({ messages, tools, toolChoice }: SampleRequest): boolean {
  const isUse = ({ type }: JsonObject): boolean => type === 'tool_use' || type === 'tool_result';
  return (tools ?? toolChoice) !== undefined || messages.flatMap(blocksOf).some(isUse);
}

/** Tool uses must be followed by a message of their results alone ("Sampling", Tool Use and Result Balance). */
function checkToolUses(messages: readonly SampleMessage[]): void {
  const unanswered = new ToolError('Each tool use must be answered by a result in the next message.');
  let uses: unknown[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ toolUseId }) => toolUseId);
    if (results.length > 0 && (message.role !== 'user' || results.length < blocks.length))
      throw new ToolError('Tool results stand in messages of the user, with nothing else.');
    const answered = new Set<unknown>(results);
    if (uses.length !== results.length || !uses.every((id) => answered.has(id))) throw unanswered;
    uses = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  if (uses.length > 0) throw unanswered;
}

/** Before 2025-11-25 a message has one block, and no other members. @throws {ToolError} for content that the revision lacks */
function fitMessage(message: SampleMessage, revision: string): SampleMessage {
  const kinds = ['text', 'image', 'tool_use', 'tool_result', ...(revision >= '2025-03-26' ? ['audio'] : [])];
  const blocks = blocksOf(message).map((block) => {
    if (kinds.includes(block['type'] as string)) return fit('content', block as unknown as Content, revision);
    throw new ToolError(`The client's model takes no content of the kind ${String(block['type'])}.`);
  }) as unknown as JsonObject[];
  const { role, content, ...rest } = message;
  const members = revision >= '2025-11-25' ? rest : {};
  if (revision >= '2025-11-25' && Array.isArray(content)) return { ...members, role, content: blocks };
  const [block] = blocks;
  if (block !== undefined && blocks.length === 1) return { ...members, role, content: block };
  throw new ToolError("The client's model takes one content block a message.");
}
