/** The named types of a program, which `$defs` and references of codecs use. */
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import { type FileLabel, originOf } from '../origin.ts';
import type { Described } from './definition.ts';
import { type Direction, hasForm, type TellAt } from './form.ts';
import { pruneCodec, type Pruning } from './prune-codec.ts';
import { settleNames } from './settle-names.ts';

export interface Pool {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
  origins: Record<string, CodeOrigin>;
}

interface Settling {
  tell: TellAt;
  label: FileLabel;
  pruningOf: (direction: Direction) => Pruning;
}

/** Names all definitions and writes the names into their references. */
export function settlePool(definitions: readonly Described[], settling: Settling): Pool {
  const pool: Pool = { schemas: {}, codecs: {}, origins: {} };
  for (const { name, members, wish, rivals } of settleNames(definitions)) {
    for (const { references, codecReferences } of members) {
      for (const reference of references) reference.$ref = `#/$defs/${name}`;
      for (const reference of codecReferences) reference.name = name;
    }
    const [first] = members;
    if (first === undefined) continue;
    put(pool, name, members.find(({ direction }) => direction === 'output') ?? first, settling);
    const declaration = first.symbol?.declarations?.[0];
    if (rivals > 0 && name !== wish && declaration !== undefined)
      settling.tell('type-name-clash', { name: wish, to: name, count: rivals + 1 }, declaration);
  }
  return pool;
}

function put(
  { schemas, codecs, origins }: Pool,
  name: string,
  { form, symbol, direction }: Described,
  { label, pruningOf }: Settling,
): void {
  const known = form !== undefined && hasForm(form) ? form : { schema: {}, codec: undefined };
  schemas[name] = known.schema;
  const codec = pruneCodec(known.codec, pruningOf(direction));
  if (codec !== undefined) codecs[name] = codec;
  const declaration = symbol?.declarations?.[0];
  if (declaration !== undefined) origins[name] = originOf(declaration, label);
}
