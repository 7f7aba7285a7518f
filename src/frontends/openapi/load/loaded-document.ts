import type { DocumentOrigin } from '../../../model/origin.ts';
import type { OpenApiVersion } from '../document/openapi-version.ts';
import type { DuplicateKey } from './text-faults.ts';

export interface LoadedDocument {
  file: string;
  /** The URL without a fragment identifies the document. */
  uri: string;
  /** The base of relative references: `$self` (OpenAPI 3.2), else `uri`. */
  base: string;
  text: string;
  value: unknown;
  /** Decides the rules of its schemas. A fragment inherits the version of the referring document. */
  version: OpenApiVersion;
  aliases: number;
  duplicateKeys: readonly DuplicateKey[];
  /** Finds the original place of a value after overlays. */
  writtenAt?: (pointer: string) => DocumentOrigin;
}

/** Bounds on what one run reads, so that a hostile or mistaken document ends in a diagnostic. */
export interface DocumentLimits {
  /** Most bytes of one document. Default 64 MiB. */
  bytes: number;
  /** Levels of nesting in a YAML document, and of a schema without references. Default 200. */
  depth: number;
  /** Levels of nesting in a JSON document. Default 1,000: values are read by going down into them. */
  jsonDepth: number;
  /** Schemas converted in one run. Default 2,000,000 (GitHub's whole API needs 250,000). */
  schemas: number;
  /** Files and URLs opened through references. Default 2,000. */
  documents: number;
  /** Most distinct references in one document. Default 200,000. */
  references: number;
  /** Values of a document with overlays. Default 5,000,000. */
  overlaid: number;
  /** Redirects followed for one URL. Default 5. */
  redirects: number;
  /** Milliseconds for fetching one URL. Default 30,000. */
  timeout: number;
}

export const defaultDocumentLimits: DocumentLimits = {
  bytes: 64 * 1024 * 1024,
  depth: 200,
  jsonDepth: 1_000,
  schemas: 2_000_000,
  documents: 2_000,
  references: 200_000,
  overlaid: 5_000_000,
  redirects: 5,
  timeout: 30_000,
};
