/** The values that become the parts of a multipart body, with what is known of each. */
import type { EncodingBinding, PartBinding, PartsBinding } from '../../contract/bindings.ts';
import { UpstreamError } from '../upstream-error.ts';
import { encodingOf } from './form-body.ts';

/** A property on its way into the body, or an item of a list. */
export interface PartSource extends PartBinding {
  /** Of the property; of an item, only where the document gives it one. */
  name?: string | undefined;
  value: unknown;
  /** The argument it came from, for messages. */
  argument: string;
  encoding: EncodingBinding | undefined;
  /** It has a position: one part, also where it is a list itself (OpenAPI 3.2, "Encoding By Name"). Default false. */
  isItem?: boolean;
}

/** @throws {UpstreamError} `argument` for a value that has no parts */
export function partSources(binding: PartsBinding, argument: string, value: unknown): PartSource[] {
  if (Array.isArray(value)) return value.map((item, index) => itemSource(binding, argument, item, index));
  if (typeof value !== 'object' || value === null) {
    throw new UpstreamError(
      'argument',
      `Argument "${argument}" must be an object, each member a part of the body, or a list of parts.`,
    );
  }
  const { parts = {}, otherParts, encoding } = binding;
  return Object.entries(value).map(([name, member]) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : (otherParts ?? { mayBeFile: true });
    return { ...part, name, argument, value: member, encoding: encodingOf(encoding, name) };
  });
}

function itemSource(binding: PartsBinding, argument: string, value: unknown, index: number): PartSource {
  const { prefixParts, otherParts, prefixEncoding, itemEncoding } = binding;
  const part = prefixParts?.[index] ?? otherParts ?? { mayBeFile: true };
  const encoding = prefixEncoding?.[index] ?? itemEncoding;
  return { ...part, name: encoding?.name, argument, value, encoding, isItem: true };
}
