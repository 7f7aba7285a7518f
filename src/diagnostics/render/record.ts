/** A diagnostic for machines: JSON and annotations of GitHub are made from it. */
import type { Origin } from '../../model/origin.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { Diagnostic } from '../collector.ts';
import type { Severity } from '../define.ts';
import { type Places, resolveOrigin } from './place.ts';
import { escapeInvisibleInLines } from './terminal-text.ts';

interface PlaceRecord {
  /** A path as given, a URL, or `<stdin>`. */
  file?: string;
  /** 1-based. */
  line?: number;
  /** 1-based, in UTF-16 code units. */
  column?: number;
  /** JSON Pointer (RFC 6901) in the document. */
  pointer?: string;
}

export interface DiagnosticRecord extends PlaceRecord {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  hint?: string;
  related?: ({ message: string } & PlaceRecord)[];
  /** The server, of a configuration with several. */
  server?: string;
  /** How many more of this kind are left out; `--verbose` lists them. */
  more?: number;
}

/** The message, with the server's name if there are several. */
export function messageWithServer({ server, message }: Pick<Diagnostic, 'message' | 'server'>): string {
  return server === undefined ? message : `[${server}] ${message}`;
}

export function diagnosticToRecord(diagnostic: Diagnostic, places: Places): DiagnosticRecord {
  const { code, name, severity, message, hint, origin, related = [], server } = diagnostic;
  const relatedPlaces = related.map((place) => ({
    message: place.message,
    ...toPlaceRecord(place.origin, places),
  }));
  return {
    code,
    name,
    severity,
    message,
    ...omitUndefined({ hint }),
    ...toPlaceRecord(origin, places),
    ...omitUndefined({ server, related: relatedPlaces.length === 0 ? undefined : relatedPlaces }),
  };
}

function toPlaceRecord(origin: Origin | undefined, places: Places): PlaceRecord {
  if (origin === undefined) return {};
  const { file, pointer, position } = resolveOrigin(origin, places);
  return { file, ...omitUndefined({ line: position?.line, column: position?.column, pointer }) };
}

const COMMANDS: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };

export function renderGithubAnnotation(record: DiagnosticRecord): string {
  const properties = [
    renderCommandProperty('file', record.file),
    renderCommandProperty('line', record.line),
    renderCommandProperty('col', record.column),
    renderCommandProperty('title', `${record.code} ${record.name}`),
  ].filter((part) => part !== undefined);
  const message = messageWithServer(record);
  const more = record.more && `${record.more} more like this; --verbose shows all`;
  const text = [message, record.hint, more].filter((line) => line !== undefined).join('\n');
  return `::${COMMANDS[record.severity]} ${properties.join(',')}::${escapeCommandData(escapeInvisibleInLines(text, ''))}`;
}

function renderCommandProperty(name: string, value: string | number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = escapeCommandData(escapeInvisibleInLines(String(value), ''));
  return `${name}=${text.replaceAll(':', '%3A').replaceAll(',', '%2C')}`;
}

/** Breaks workflow commands of GitHub Actions in a text: lines that begin with `::`, after blanks too, and `##[` anywhere. */
export function breakWorkflowCommands(text: string): string {
  return text.replace(/^([^\S\n]*:)(?=:)/gm, '$1 ').replaceAll('##[', '## [');
}

/** An unescaped line break would end the command, and the text after it could begin another one. */
function escapeCommandData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
