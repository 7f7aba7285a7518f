/** Whether a recursive type's values differ from their JSON is unknown until it is read. */
import { omitUndefined } from '../../../util/collections.ts';
import type { Codec, CodecBranch, UnionCodec } from '../../../model/codec.ts';
import type { JsonType } from '../../../util/json-schema.ts';
import { setOwnMember } from '../../../util/json-value.ts';
import type { Definition } from './definitions.ts';
import { type Direction, hasForm } from './form.ts';

export type Target = (reference: Codec) => Definition | undefined;

/** A codec changes values if any part does, other than references. */
export function decideIdleCodecs(undecided: readonly Definition[], target: Target): void {
  for (const definition of undecided) definition.does = { input: false, output: false };
  for (const direction of ['input', 'output'] as const) {
    for (let isChanging = true; isChanging;) {
      isChanging = false;
      for (const { does, form } of undecided) {
        if (does === undefined || does[direction]) continue;
        const codec = form !== undefined && hasForm(form) ? form.codec : undefined;
        does[direction] = codec !== undefined && doesCodecChangeValues(codec, { target, direction });
        isChanging ||= does[direction];
      }
    }
  }
  // Both directions share the definitions, so both decide alike.
  for (const { form } of undecided) {
    if (form !== undefined && hasForm(form))
      form.codec = pruneCodec(form.codec, { target, direction: 'output' });
  }
}

export interface Pruning {
  target: Target;
  direction: Direction;
}

/** Scalars, maps and sets change values; so do objects with hidden members. */
function doesCodecChangeValues(codec: Codec, pruning: Pruning): boolean {
  const { target, direction } = pruning;
  if (codec.kind === 'ref') return target(codec)?.does?.[direction] === true;
  const isWritten = direction === 'output';
  if (codec.kind === 'any' || codec.kind === 'toJSON') return isWritten;
  if (codec.kind === 'object' && (codec.without ?? codec.defaults) !== undefined) return true;
  if (codec.kind === 'object' && isWritten && codec.only !== undefined) return true;
  const parts = listInnerCodecs(codec);
  return parts === undefined || parts.some((part) => doesCodecChangeValues(part, pruning));
}

/** Lists the parts; undefined if the codec itself changes values. */
function listInnerCodecs(codec: Codec): Codec[] | undefined {
  switch (codec.kind) {
    case 'array':
      return [codec.items];
    case 'tuple':
      return keepPresentCodecs([...codec.items, codec.rest, ...(codec.last ?? [])]);
    case 'object':
      return keepPresentCodecs([
        ...listCodecs(codec.properties),
        ...listCodecs(codec.patterns),
        codec.additional,
      ]);
    case 'union':
      return keepPresentCodecs(codec.branches.map((branch) => branch.codec));
    default:
      return undefined;
  }
}

function listCodecs(codecs: Record<string, Codec> = {}): Codec[] {
  return Object.values(codecs);
}

function keepPresentCodecs(codecs: readonly (Codec | null | undefined)[]): Codec[] {
  return codecs.filter((codec) => codec !== null && codec !== undefined);
}

export function pruneCodec(codec: Codec | undefined, pruning: Pruning): Codec | undefined {
  if (codec === undefined || !doesCodecChangeValues(codec, pruning)) return undefined;
  const pruneInner: Prune = (part) => pruneCodec(part ?? undefined, pruning);
  switch (codec.kind) {
    case 'tuple': {
      const { kind, items, rest, last } = codec;
      return omitUndefined({
        kind,
        items: items.map((item) => pruneInner(item) ?? null),
        rest: pruneInner(rest),
        last: last?.map((item) => pruneInner(item) ?? null),
      });
    }
    case 'object': {
      const { properties, patterns, additional, only } = codec;
      return omitUndefined({
        ...codec,
        only: pruning.direction === 'output' ? only : undefined,
        properties: pruneCodecMap(properties, pruneInner),
        patterns: pruneCodecMap(patterns, pruneInner),
        additional: pruneInner(additional),
      });
    }
    case 'map':
      return omitUndefined({ ...codec, key: pruneInner(codec.key), value: pruneInner(codec.value) });
    case 'set':
      return omitUndefined({ kind: codec.kind, items: pruneInner(codec.items) });
    case 'toJSON':
      return omitUndefined({ kind: codec.kind, as: pruneInner(codec.as) });
    case 'union':
      return pruneUnion(codec, pruneInner, pruning);
    default:
      return codec;
  }
}

type Prune = (codec: Codec | null | undefined) => Codec | undefined;

/** Schemas are needed only if nothing else tells alternatives apart that are revived or written differently. */
function pruneUnion({ kind, branches, schemas }: UnionCodec, prune: Prune, pruning: Pruning): UnionCodec {
  const pruned = new Map(branches.map((branch) => [branch, prune(branch.codec)]));
  const asInput: Pruning = { ...pruning, direction: 'input' };
  const revived =
    pruning.direction === 'input'
      ? pruned
      : new Map(branches.map((branch) => [branch, pruneCodec(branch.codec, asInput)]));
  const isAsked = branches.some((a, index) =>
    branches
      .slice(index + 1)
      .some(
        (b) =>
          mayShareValues(a, b) && [revived, pruned].some((codecs) => !isSame(codecs.get(a), codecs.get(b))),
      ),
  );
  // Branches with more required members come first, then those that leave arguments unchanged.
  const rankBranch = (branch: CodecBranch): number => (revived.get(branch) === undefined ? 0 : 1);
  const countRequired = ({ required = [] }: CodecBranch): number => required.length;
  const ordered = branches.toSorted(
    (a, b) => countRequired(b) - countRequired(a) || rankBranch(a) - rankBranch(b),
  );
  return omitUndefined({
    kind,
    branches: ordered.map((branch) =>
      omitUndefined({
        ...branch,
        without: branch.without?.length === 0 ? undefined : branch.without,
        accepts: isAsked ? branch.accepts : undefined,
        codec: pruned.get(branch),
      }),
    ),
    schemas: isAsked ? schemas : undefined,
  });
}

/** Whether some JSON value may pass both tests, without regard to their schemas. */
function mayShareValues(a: CodecBranch, b: CodecBranch): boolean {
  const otherTypes = b.types?.map(integerToNumber);
  if (
    otherTypes !== undefined &&
    a.types?.map(integerToNumber).some((type) => otherTypes.includes(type)) === false
  )
    return false;
  const isTold =
    a.tag !== undefined &&
    b.tag !== undefined &&
    [a, b].every(({ tag, required }) => required?.includes(tag?.name ?? ''));
  return !isTold;
}

/** Makes integers numbers, since each is one. */
function integerToNumber(type: JsonType): JsonType {
  return type === 'integer' ? 'number' : type;
}

/** References compare by identity, since their names may still change. */
function isSame(a: Codec | undefined, b: Codec | undefined): boolean {
  const texts = [a, b].map((codec) => JSON.stringify(codec) ?? '');
  return a === b || (texts[0] === texts[1] && !texts.some((text) => text.includes('"kind":"ref"')));
}

function pruneCodecMap(
  codecs: Record<string, Codec> | undefined,
  prune: Prune,
): Record<string, Codec> | undefined {
  const kept: Record<string, Codec> = {};
  for (const [name, codec] of Object.entries(codecs ?? {})) {
    const pruned = prune(codec);
    if (pruned !== undefined) setOwnMember(kept as Record<string, unknown>, name, pruned);
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}
