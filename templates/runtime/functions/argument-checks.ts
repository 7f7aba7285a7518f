/** Whether arguments are what a function takes: by the schema of what lists none, and by the types of its parameters. */
import type { FunctionBinding } from '../contract/bindings.ts';
import { compileSchema, type Validator } from '../schema/index.ts';
import { revivedArguments } from './argument-list.ts';
import { type Codecs, NotRevivable } from './revive.ts';

export class ArgumentChecks {
  readonly #codecs: Codecs;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
  }

  /** What the schema finds wrong, a clause each. */
  bySchema({ input }: FunctionBinding, args: Record<string, unknown>): string[] {
    if (input === undefined) return [];
    let validate = this.#validators.get(input);
    if (validate === undefined) this.#validators.set(input, (validate = compileSchema(input)));
    return validate(args).map(({ message }) => message);
  }

  /** What is wrong at all. */
  all(binding: FunctionBinding, args: Record<string, unknown>): string[] {
    const misfits = this.bySchema(binding, args);
    if (misfits.length > 0) return misfits;
    try {
      revivedArguments(binding, args, this.#codecs);
      return [];
    } catch (thrown) {
      if (thrown instanceof NotRevivable) return [...thrown.misfits];
      throw thrown;
    }
  }
}
