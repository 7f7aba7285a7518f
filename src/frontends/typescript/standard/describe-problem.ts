import type { SchemaProblem } from '../../../model/schema-runs.ts';
import type { Direction } from '../schema/form.ts';

/** Ends the sentence "`@schema Name` can't be used: …", and says what to do. */
export interface Fault {
  problem: string;
  next: string;
}

const LIBRARIES =
  'Name a schema of zod 4.2 (from `zod`, not `zod/mini`), ArkType 2.1.28, or an export of `toStandardJsonSchema(…)` of `@valibot/to-json-schema` 1.5, or write JSON: `@schema {…}`.';

const ALONE =
  'Move the schema to a file of its own: it is loaded while compiling, without environment variables.';

export function explainSchemaProblem(problem: SchemaProblem, name: string, direction: Direction): Fault {
  switch (problem.kind) {
    case 'no-schema':
      return {
        problem: 'the export is no schema with the interface `~standard` of Standard Schema',
        next: LIBRARIES,
      };
    case 'old-library':
      return {
        problem: `its library (${problem.vendor}) has no \`~standard.jsonSchema\` in this version`,
        next: LIBRARIES,
      };
    case 'not-in-json': {
      const next =
        direction === 'input'
          ? `Let it take what JSON has, and make the value from that: \`z.iso.datetime().transform((text) => new Date(text))\`.`
          : `Say what comes out, for example by \`.pipe(…)\` after a transform, or write the JSON Schema: \`@schema {…}\`.`;
      return { problem: `its ${direction} has no JSON Schema (${problem.reason})`, next };
    }
    case 'failed':
      return { problem: `its module can't be loaded (${problem.reason})`, next: ALONE };
    case 'ended':
      return { problem: 'its module ended the process that loaded it', next: ALONE };
    case 'too-slow':
      return { problem: `its module was not loaded after ${problem.seconds} seconds`, next: ALONE };
    case 'too-large':
      return {
        problem: 'it needs more than 512 MB to load, or 4 MiB of JSON',
        next: `Give \`${name}\` less to describe.`,
      };
  }
}
