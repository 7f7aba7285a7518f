/** Samples of everything a server lists, judged by our own validator. */
// Samples of patterns that are not plain need their reader.
import '../../../dist/templates/runtime/contract/regex/linear-patterns.js';
import { makeSample } from '../../../dist/templates/runtime/sample/sample-of.js';
import { compileSchema } from '../../../dist/templates/runtime/schema/compile-schema.js';

/**
 * A short and a full sample of each input and output schema.
 * @param {{ name: string, inputSchema: object, outputSchema?: object }[]} tools
 * @returns {{ made: number, missing: string[], faults: string[] }} `missing`: no valid value was found; `faults`: an
 *   invalid one was given
 */
export function judgeSamples(tools) {
  const judged = { made: 0, missing: [], faults: [] };
  for (const { name, ...tool } of tools) {
    for (const kind of ['inputSchema', 'outputSchema'].filter((one) => tool[one] !== undefined)) {
      for (const full of [false, true])
        judgeOne(`${name}.${kind}${full ? ', full' : ''}`, tool[kind], full, judged);
    }
  }
  return judged;
}

function judgeOne(where, schema, full, judged) {
  const value = makeSample(schema, { full });
  judged.made++;
  if (value === undefined) return judged.missing.push(where);
  const [error] = compileSchema(schema)(value);
  if (error !== undefined) judged.faults.push(`${where}: ${error.instancePath} ${error.message}`);
}
