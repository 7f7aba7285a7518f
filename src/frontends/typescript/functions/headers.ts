/** `@header Name`: clients repeat the argument in an HTTP header ("Custom Headers from Tool Parameters"). */
import { isHttpToken } from '../../../../templates/runtime/contract/token-syntax.ts';
import type { JsonSchemaObject, ObjectSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { tagNamed } from '../tags/read-block.ts';
import type { ReadParameters } from './parameters.ts';

const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

export function readHeaders(
  { properties = {} }: ObjectSchema,
  docs: ReadParameters['docs'],
  { diagnostics, originOfTag }: SourceProgram,
): void {
  const taken = new Set<string>();
  for (const [name, said] of docs) {
    const tag = tagNamed(said, 'header');
    const schema = properties[name];
    if (tag === undefined || typeof schema !== 'object') continue;
    const header = tag.text;
    const problem = findHeaderProblem(header, schema, taken);
    taken.add(header.toLowerCase());
    if (problem === undefined) schema['x-mcp-header'] = header;
    else diagnostics.report('bad-header', { header, problem }, { at: originOfTag(tag) });
  }
}

/** Only tool calls repeat arguments in HTTP headers. */
export function refuseHeaders(
  { docs }: Pick<ReadParameters, 'docs'>,
  { diagnostics, originOfTag }: SourceProgram,
): void {
  for (const said of docs.values()) {
    const tag = tagNamed(said, 'header');
    const problem = 'only arguments of tools are mirrored';
    if (tag !== undefined)
      diagnostics.report('bad-header', { header: tag.text, problem }, { at: originOfTag(tag) });
  }
}

function findHeaderProblem(
  header: string,
  { type }: JsonSchemaObject,
  taken: ReadonlySet<string>,
): string | undefined {
  if (!isHttpToken(header)) return 'it is no name of a header (RFC 9110, token)';
  if (taken.has(header.toLowerCase())) return 'another parameter has it';
  return TYPES.includes(type) ? undefined : 'only strings, integers and booleans are mirrored';
}
