/**
 * A model on loopback: OpenAI's chat completions and responses, Gemini's generateContent. It asks for the calls it is
 * given, one a turn, ends with text, and keeps what it was sent.
 */
import { parseJson, startLoopback } from '../../fixtures/upstreams/loopback.mjs';

export async function startFakeModel(calls) {
  const requests = [];
  const { url, close } = await startLoopback(({ url: { pathname, search }, body: bytes }) => {
    const place = pathname + search;
    const dialect = dialects.find(({ path }) => path.test(place));
    if (dialect === undefined) return { status: 404 };
    const body = parseJson(bytes);
    requests.push({ dialect, body });
    const next = calls[dialect.results(body).length];
    const name = next && (nameOf(next.tool, dialect.tools(body)) ?? next.tool);
    const streams = body.stream === true || /:streamGenerateContent/.test(place);
    const turn = requests.length;
    const answer = next ? dialect.call(turn, name, next.args) : dialect.text(turn, 'Done.');
    if (!streams) return { json: answer };
    return { headers: { 'content-type': 'text/event-stream' }, text: dialect.events(answer) };
  });
  const last = () => requests.at(-1);
  return {
    url,
    requests,
    tools: () => last()?.dialect.tools(requests[0].body) ?? [],
    results: () => last()?.dialect.results(last().body) ?? [],
    close,
  };
}

/** A client may put its own name for the server before a tool's. */
function nameOf(tool, offered) {
  return offered.find(({ name }) => name === tool || name.endsWith(`_${tool}`))?.name;
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

const dialects = [
  {
    path: /\/chat\/completions/,
    tools: ({ tools = [] }) => tools.map(({ function: { name, parameters } }) => ({ name, parameters })),
    results: ({ messages }) =>
      messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
    text: (turn, content) => completion(turn, { role: 'assistant', content }, 'stop'),
    call: (turn, name, args) => {
      const tool_calls = [functionCall(turn, name, args)];
      return completion(turn, { role: 'assistant', content: null, tool_calls }, 'tool_calls');
    },
    events: (answer) => {
      const [{ message, finish_reason }] = answer.choices;
      const tool_calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
      const chunk = (choice) => ({
        ...answer,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, ...choice }],
      });
      return [chunk({ delta: { ...message, tool_calls } }), chunk({ delta: {}, finish_reason })]
        .map((each) => `data: ${JSON.stringify(each)}\n\n`)
        .concat('data: [DONE]\n\n')
        .join('');
    },
  },
  {
    path: /\/responses/,
    tools: ({ tools = [] }) => tools.map(({ name, parameters }) => ({ name, parameters })),
    results: ({ input }) =>
      (Array.isArray(input) ? input : [])
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => textOf(output)),
    text: (turn, text) =>
      response(turn, {
        type: 'message',
        id: `msg_${turn}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      }),
    call: (turn, name, args) =>
      response(turn, {
        type: 'function_call',
        id: `fc_${turn}`,
        call_id: `call_${turn}`,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      }),
    events: (answer) => `data: ${JSON.stringify({ type: 'response.completed', response: answer })}\n\n`,
  },
  {
    path: /:(stream)?generateContent/i,
    tools: ({ tools = [] }) =>
      tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ name, parameters, parametersJsonSchema, response, responseJsonSchema }) => ({
          name,
          parameters: parametersJsonSchema ?? parameters,
          result: responseJsonSchema ?? response,
        })),
    results: ({ contents }) =>
      contents
        .flatMap(({ parts = [] }) => parts)
        .filter(({ functionResponse }) => functionResponse !== undefined)
        .map(({ functionResponse }) => JSON.stringify(functionResponse.response)),
    text: (_turn, text) => candidate({ text }),
    call: (_turn, name, args) => candidate({ functionCall: { name, args } }),
    events: (answer) => `data: ${JSON.stringify(answer)}\n\n`,
  },
];

function functionCall(turn, name, args) {
  return { id: `call_${turn}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/** Each answer has its own id: LangGraph takes a second one with the same as a correction of the first. */
function completion(turn, message, finish_reason) {
  const head = { id: `chatcmpl-${turn}`, object: 'chat.completion', created: 1, model: 'fake', usage };
  return { ...head, choices: [{ index: 0, message, finish_reason }] };
}

function response(turn, item) {
  return {
    id: `resp_${turn}`,
    object: 'response',
    created_at: 1,
    model: 'fake',
    status: 'completed',
    output: [item],
    usage: {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

function candidate(part) {
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}

/** A tool's result is text, or parts that have some. */
function textOf(content) {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
