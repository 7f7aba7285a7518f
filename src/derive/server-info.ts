/** Derives the server's name, title, description and instructions. */
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { transliterateToLatin } from '../model/letters.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { SourceModel } from '../model/source-model.ts';
import type { DeriveOptions } from './options.ts';
import { firstParagraph, htmlToPlainText, htmlToTitle, trimText } from './text/plain-text.ts';
import { omitUndefined } from '../util/collections.ts';

/** The most characters of a name that is given, and of a title. */
const longestName = 64;
/** The most characters of a derived name, with its `-mcp`: clients put it before the names of tools. */
const longestDerived = 24;
const longestDescription = 300;
const longestInstructions = 600;

export type ServerInfo = Pick<
  ServerModel,
  'name' | 'title' | 'version' | 'description' | 'instructions' | 'documentationUrl' | 'icons' | '_meta'
>;

type InfoOptions = Pick<DeriveOptions, 'name' | 'serverVersion'>;

function deriveInfoOfSource(
  source: SourceModel,
  options: InfoOptions,
  diagnostics: DiagnosticCollector,
): ServerInfo {
  const { info, xMcp } = source;
  const title = htmlToTitle(xMcp?.title ?? '') || htmlToTitle(info.title);
  const name = serverName(source, options, diagnostics);
  const about =
    htmlToPlainText(source.xMcp?.description ?? '') ||
    htmlToPlainText(source.info.description ?? '') ||
    htmlToPlainText(source.info.summary ?? '');
  return {
    name,
    title: title || name,
    version: options.serverVersion ?? (info.version.trim() || '1.0.0'),
    description:
      trimText(htmlToTitle(firstParagraph(about)), longestDescription) || `MCP server for ${title || name}`,
    ...makeInstructions(source, title || name, about),
    ...omitUndefined({
      documentationUrl: info.documentationUrl,
      icons: xMcp?.icons,
      _meta: xMcp?._meta,
    }),
  };
}

export function deriveInfoOfSources(
  parts: readonly { source: SourceModel }[],
  options: InfoOptions,
  diagnostics: DiagnosticCollector,
): ServerInfo {
  const [first, ...moreParts] = parts;
  if (first === undefined) throw new Error('A server of no sources was asked for.');
  const info = deriveInfoOfSource(first.source, options, diagnostics);
  // Problems with the names of the other sources do not affect the server.
  const unheard = new DiagnosticCollector();
  if (moreParts.length === 0) return info;
  const all = [info, ...moreParts.map(({ source }) => deriveInfoOfSource(source, options, unheard))];
  const instructions = uniqueTexts(all.map((part) => part.instructions ?? ''));
  return {
    ...info,
    title: joinTitles(uniqueTexts(all.map(({ title }) => title))),
    description: trimText(
      uniqueTexts(all.map(({ description }) => description)).join(' '),
      longestDescription,
    ),
    ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
  };
}

function uniqueTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}

/** `Rail, Hotels and trip`; only the first if a title would be too long. */
function joinTitles(titles: readonly string[]): string {
  const [first = ''] = titles;
  const title = titles.length < 2 ? first : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1) ?? ''}`;
  return title.length <= longestName ? title : first;
}

function serverName(
  source: SourceModel,
  { name: configuredName }: InfoOptions,
  diagnostics: DiagnosticCollector,
): string {
  const wish = configuredName ?? source.xMcp?.name;
  if (wish === undefined) return deriveServerName(source);
  // The package names that npm accepts, with or without a scope.
  if (wish.length <= longestName && /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(wish))
    return wish;
  const name = slugOfText(wish) || 'api-mcp';
  diagnostics.report(
    'name-cleaned',
    {
      from: `The server "${wish}"`,
      to: `\`${name}\``,
      why: 'the name is not a valid package name',
      fix: 'Use lower-case letters, digits and `-`, at most 64 characters,',
    },
    configuredName === undefined ? { at: source.origin } : {},
  );
  return name;
}

/**
 * `Petstore API v3 - OpenAPI 3.0` → `petstore-mcp`; `API Reference` at us.sentry.io → `sentry-mcp`. The name of a package of functions
 * keeps its words.
 */
function deriveServerName({ info, capabilities, servers }: SourceModel): string {
  const isApi = capabilities.some(({ kind }) => kind === 'operation');
  const titleWords = slugOfText(isApi ? removeUrlsAndVersions(info.title) : info.title).split('-');
  const telling = isApi ? titleWords.filter((word) => word !== '' && !noise.has(word)) : titleWords;
  const host = telling.length === 0 ? readVendor(servers[0]?.url) : undefined;
  const nameWords = telling.length > 0 ? telling : host === undefined ? titleWords : [host];
  const whole = nameWords.join('-');
  if (/(^|-)mcp$/.test(whole) && whole.length <= longestDerived) return whole;
  const room = longestDerived - '-mcp'.length;
  const suffixed = nameWords.at(-1) === 'mcp' ? nameWords.slice(0, -1) : [...nameWords];
  while (suffixed.length > 1 && (suffixed.join('-').length > room || little.has(suffixed.at(-1) ?? '')))
    suffixed.pop();
  return `${suffixed.join('-').slice(0, room).replace(/-+$/, '') || 'api'}-mcp`;
}

/** `https://api.acme.co.uk/v1` → `acme`. */
function readVendor(url = ''): string | undefined {
  const withoutVariables = url.replace(/\{[^{}]*\}\.?/g, '');
  const [, hostname = ''] = /^https?:\/\/([a-z\d.-]*[a-z])(?=[:/]|$)/i.exec(withoutVariables) ?? [];
  const labels = hostname.toLowerCase().split('.').slice(0, -1);
  // `co` of `co.uk` is no name.
  if (labels.length > 1 && (labels.at(-1) ?? '').length < 4 && /\.[a-z]{2}$/.test(hostname)) labels.pop();
  const label = labels.at(-1);
  return label === undefined || noise.has(label) ? undefined : label;
}

const noise = new Set(
  'api apis openapi definition specification specifications spec version reference documentation docs the my'.split(
    ' ',
  ),
);
/** Words that no name ends in. */
const little = new Set('a an and for from in of on or the to with'.split(' '));

/** Removes URLs, versions (`v2`, `3.0`, `2024-01-31`) and a genitive's ending. */
function removeUrlsAndVersions(title: string): string {
  return title
    .replace(/['’]s\b/gi, '')
    .replace(/\bhttps?:\/\/\S+|\bwww\.\S+/gi, ' ')
    .replace(
      /(?<![\p{L}\p{N}])(?:v(?:ersion)?\.?\s*\d+(?:\.\d+)*|\d+(?:\.\d+)+|\d{4}-\d{2}-\d{2})(?![\p{L}\p{N}])/giu,
      ' ',
    );
}

export function slugOfText(text: string): string {
  return transliterateToLatin(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestName)
    .replace(/-$/, '');
}

/** A source of functions has no instructions beyond its description. */
function makeInstructions(
  { capabilities }: SourceModel,
  title: string,
  about: string,
): Pick<ServerModel, 'instructions'> {
  const isApi = capabilities.some(({ kind }) => kind === 'operation') || capabilities.length === 0;
  if (isApi) return { instructions: deriveApiInstructions(title, about) };
  return about === '' ? {} : { instructions: trimText(firstParagraph(about), longestInstructions) };
}

function deriveApiInstructions(title: string, about: string): string {
  const lead = `Tools for the API "${title}".`;
  const paragraph = trimText(
    firstParagraph(about.replace(/^(\s*(#{1,6} [^\n]*|[=-]{3,})\n+)+/, '')),
    longestInstructions - lead.length - 1,
  );
  return paragraph === '' ? lead : `${lead} ${paragraph}`;
}
