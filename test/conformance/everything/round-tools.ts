/** Tools that take several rounds in the modern era. */
import type { Context, ExtraTool } from '../../../templates/runtime/index.ts';
import { NO_ARGUMENTS, textForm } from './samples.ts';

type Rounds = (context: Context) => Promise<string>;

export const roundTools: ExtraTool[] = [
  rounds('elicitation', 'Asks for a name.', async (context) => `Hello, ${await nameOf(context)}!`),
  rounds('sampling', "Asks the client's model.", async ({ sample }) => {
    const answer = await sample(question('What is the capital of France?', 100), { key: 'capital_question' });
    return `The model said: ${JSON.stringify(answer.content)}`;
  }),
  rounds('list_roots', 'Asks where the client works.', async ({ roots }) => {
    const found = await roots({ key: 'client_roots' });
    return `Roots: ${found.map(({ uri }) => uri).join(', ')}`;
  }),
  rounds('request_state', 'Remembers something between two rounds.', async ({ elicit, remember }) => {
    const begun = await remember('begun', () => Date.now());
    await elicit(
      'Please confirm',
      { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
      { key: 'confirm' },
    );
    return `state-ok: begun at ${begun}`;
  }),
  rounds('multiple_inputs', 'Asks three things at once.', async (context) => {
    const { remember, roots, sample } = context;
    await remember('begun', () => Date.now());
    const answers = await Promise.all([
      nameOf(context),
      sample(question('Generate a greeting', 50), { key: 'greeting' }),
      roots({ key: 'client_roots' }),
    ]);
    return `Got all: ${JSON.stringify(answers)}`;
  }),
  rounds('multi_round', 'Asks one thing after the other.', async ({ elicit }) => {
    const first = await elicit('Step 1: What is your name?', textForm('name'), { key: 'step1' });
    const second = await elicit('Step 2: What is your favorite color?', textForm('color'), { key: 'step2' });
    return `Got both: ${JSON.stringify([first.content, second.content])}`;
  }),
  rounds('tampered_state', 'Remembers something that nobody may change.', async (context) => {
    const begun = await context.remember('begun', () => Date.now());
    return `${await nameOf(context)}, begun at ${begun}`;
  }),
  rounds('capabilities', 'Asks only for what the client declares.', async (context) => {
    const { elicitation, sampling } = context.client.capabilities;
    const answers = await Promise.all([
      ...(elicitation === undefined ? [] : [nameOf(context)]),
      ...(sampling === undefined
        ? []
        : [context.sample(question('Generate a greeting', 50), { key: 'greeting' })]),
    ]);
    return `Got ${answers.length} answers.`;
  }),
];

function rounds(name: string, description: string, work: Rounds): ExtraTool {
  return {
    name: `test_input_required_result_${name}`,
    description,
    inputSchema: NO_ARGUMENTS,
    handler: async (_, context) => work(context),
  };
}

function question(text: string, maxTokens: number): Parameters<Context['sample']>[0] {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

export async function nameOf({ elicit }: Context): Promise<string> {
  const { content } = await elicit('What is your name?', textForm('name'), { key: 'user_name' });
  return String(content?.['name'] ?? 'nobody');
}
