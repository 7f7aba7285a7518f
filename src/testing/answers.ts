/** Answers of a client under test to the questions of functions. */
import type { JsonObject } from '../../templates/runtime/types.ts';
import type { Answers, Asked, FormAnswer } from './index.ts';

export class Answerer {
  readonly asked: Asked[] = [];
  readonly #answers: Answers;
  readonly #answerCounts = { elicit: 0, sample: 0 };

  constructor({ elicit, sample, roots }: Answers) {
    this.#answers = { elicit, sample, roots };
  }

  /** A client without answers cannot be asked. */
  get capabilities(): JsonObject {
    const { elicit, sample, roots } = this.#answers;
    return {
      ...(elicit && { elicitation: { form: {}, url: {} } }),
      ...(sample && { sampling: { tools: {} } }),
      ...(roots && { roots: {} }),
    };
  }

  /** @throws {Error} if the test gives no answer */
  async answer(method: string, params: object = {}): Promise<Record<string, unknown>> {
    this.asked.push({ method, params: params as JsonObject });
    if (method === 'elicitation/create')
      return toElicitResult(await this.#nextAnswer('elicit', params), params);
    if (method === 'roots/list') return { roots: this.#answers.roots };
    const answer = await this.#nextAnswer('sample', params);
    if (typeof answer !== 'string') return { ...answer };
    return { role: 'assistant', content: { type: 'text', text: answer }, model: 'test' };
  }

  async #nextAnswer<K extends 'elicit' | 'sample'>(kind: K, params: object): Promise<NextAnswer<K>> {
    const answers = this.#answers[kind] as Given<K>;
    if (typeof answers === 'function') return answers(params as never);
    const at = this.#answerCounts[kind]++;
    const answer = answers?.[at];
    if (answer !== undefined) return answer;
    const question = 'message' in params ? ` to ${JSON.stringify(params.message)}` : '';
    throw new Error(`The test has no answer${question}: \`${kind}\` has ${answers?.length ?? 0}.`);
  }
}

type NextAnswer<K extends 'elicit' | 'sample'> =
  NonNullable<Answers[K]> extends readonly (infer Answer)[] | ((...given: never[]) => unknown)
    ? Answer
    : never;

type Given<K extends 'elicit' | 'sample'> =
  readonly NextAnswer<K>[] | ((params: never) => NextAnswer<K> | Promise<NextAnswer<K>>) | undefined;

function toElicitResult(answer: FormAnswer, params: object): Record<string, unknown> {
  if (typeof answer === 'object') return { action: 'accept', content: answer };
  const isForm = answer === 'accept' && 'requestedSchema' in params;
  return isForm ? { action: answer, content: {} } : { action: answer };
}
