import type { DocumentOrigin } from '../../../model/origin.ts';
import type { OpenApiVersion } from '../document/openapi-version.ts';
import type { DuplicateKey } from './duplicate-keys.ts';
import type { LoneSurrogate } from './lone-surrogates.ts';

/** One document of a reading: the entry document, or one that a reference opened. */
export interface LoadedDocument {
  /** As origins name it. */
  file: string;
  /** Where it was found, without a fragment: a `file:` or http(s) URL. Its identity. */
  uri: string;
  /** The base of relative references: `$self` (OpenAPI 3.2), else `uri`. */
  base: string;
  text: string;
  value: unknown;
  /** The rules its schemas follow. A fragment follows those of the document that opened it. */
  version: OpenApiVersion;
  /** Uses of YAML aliases in the text. */
  aliases: number;
  /** Keys that stand twice in a mapping. */
  duplicateKeys: readonly DuplicateKey[];
  /** Texts that were mended, since nobody could have sent them. */
  surrogates: readonly LoneSurrogate[];
  /** Where the value at a pointer was written, where overlays have changed the document. */
  writtenAt?: (pointer: string) => DocumentOrigin;
}
