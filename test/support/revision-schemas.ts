/** The official JSON Schemas of the revisions, in a folder that holds `<revision>.json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const OPTIONS = {
  strict: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    byte: /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/,
    'uri-template': true as const,
  },
};

export class RevisionSchemas {
  readonly #folder: string;
  readonly #loaded = new Map<string, { ajv: Ajv; definitions: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Fault of `value` by a definition of the revision; undefined: none. */
  complaint(revision: string, definition: string, value: unknown): string | undefined {
    const { ajv, definitions } = this.#load(revision);
    const validate = ajv.getSchema(`${revision}#/${definitions}/${definition}`);
    if (validate === undefined) return `${revision} knows no ${definition}`;
    return validate(value) === true ? undefined : ajv.errorsText(validate.errors, { dataVar: definition });
  }

  #load(revision: string): { ajv: Ajv; definitions: string } {
    const known = this.#loaded.get(revision);
    if (known !== undefined) return known;
    const document: object = JSON.parse(readFileSync(join(this.#folder, `${revision}.json`), 'utf8'));
    // Draft 7 up to 2025-06-18, 2020-12 since.
    const isNew = '$defs' in document;
    const ajv = (isNew ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS)).addSchema(document, revision);
    const entry = { ajv, definitions: isNew ? '$defs' : 'definitions' };
    this.#loaded.set(revision, entry);
    return entry;
  }
}
