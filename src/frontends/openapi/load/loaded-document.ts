import type { DocumentOrigin } from '../../../model/origin.ts';
import type { OpenApiVersion } from '../document/openapi-version.ts';
import type { DuplicateKey } from './duplicate-keys.ts';
import type { LoneSurrogate } from './lone-surrogates.ts';

export interface LoadedDocument {
  /** As origins name it. */
  file: string;
  /** The URL it was loaded from, without a fragment. It identifies the document. */
  uri: string;
  /** The base of relative references: `$self` (OpenAPI 3.2), else `uri`. */
  base: string;
  text: string;
  value: unknown;
  /** The version whose rules its schemas follow. A fragment inherits the version of the document that refers to it. */
  version: OpenApiVersion;
  /** Uses of YAML aliases in the text. */
  aliases: number;
  duplicateKeys: readonly DuplicateKey[];
  /** Replaced half surrogate pairs. */
  surrogates: readonly LoneSurrogate[];
  /** Finds the original place of a value after overlays have changed the document. */
  writtenAt?: (pointer: string) => DocumentOrigin;
}
