// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words of tools and of questions: how texts are split, which words say nothing, stems, and kinds of work. */
import { ownMember } from '../../json-rpc.ts';
import type { Binding } from '../../types.ts';

/** The kinds of work by which questions and tools are compared. A tool has the index of its own. */
export const VERBS = ['list', 'get', 'create', 'update', 'delete', 'other'] as const;
export type Verb = (typeof VERBS)[number];

/** Splits texts and names into words: `listPetsByTag` has `list`, `pet` and `tag`. */
export function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const run of splitRuns(text)) stems.push(...getWordsOfRun(run).stems);
  return stems;
}

export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const run of splitRuns(text)) words.push(...getWordsOfRun(run).words);
  return words;
}

function splitRuns(text: string): readonly string[] {
  const normal = text.normalize('NFKC');
  const joined = /to-?do|e-mail|['’]/i.test(normal) ? joinWords(normal) : normal;
  // Unicode properties are slow, and most texts are ASCII.
  return joined.match(/[^\0-\x7f]/.test(joined) ? /[\p{L}\p{N}]+/gu : /[A-Za-z0-9]+/g) ?? [];
}

function joinWords(text: string): string {
  return text
    .replace(/\bto-?do(s?)\b/gi, 'task$1')
    .replace(/\b(e)-(mails?)\b/gi, '$1$2')
    .replace(/(?<=\p{L})['’](?:s|t|re|ll|ve|d|m)\b/giu, '');
}

interface Run {
  words: readonly string[];
  stems: readonly string[];
}

const MOST_KNOWN = 10_000;
const knownRuns = new Map<string, Run>();

/** Reads a text of letters and digits alone. Texts of one API have the same ones again and again. */
function getWordsOfRun(run: string): Run {
  let known = knownRuns.get(run);
  if (known === undefined) {
    const words = splitRunIntoWords(run);
    known = { words, stems: words.filter((word) => !STOP_WORDS.has(word)).map(stemWord) };
    if (knownRuns.size === MOST_KNOWN) knownRuns.clear();
    knownRuns.set(run, known);
  }
  return known;
}

function splitRunIntoWords(run: string): string[] {
  if (/^[A-Za-z\d][a-z\d]*$/.test(run)) return [run.toLowerCase()];
  const spaced = run
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2');
  return (spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(splitUnspacedScript);
}

/** Letters of scripts that put no space between words, and other letters. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]';
const RUNS = new RegExp(`(${UNSPACED}+)|(?:(?!${UNSPACED}).)+`, 'gu');

/** Each two neighbours count as a word: no dictionary is the same in every Node. */
export function splitUnspacedScript(word: string): string[] {
  if (!/[\u0e00-\uffff]/.test(word)) return [word];
  return [...word.matchAll(RUNS)].flatMap(([run, unspaced = '']) => {
    const letters = [...unspaced];
    return letters.length < 3 ? [run] : letters.slice(1).map((letter, at) => (letters[at] ?? '') + letter);
  });
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of to in on for with by from at as is are was were be been being am do does did done doing has have had having ' +
    'this that these those it its and or if then than so but i me my mine we us our ours you your yours he she they them their ' +
    'his her who whom whose which what when where how why there here will would shall should can could may might must want wants ' +
    'need needs like please via per using used use given specified specific certain particular existing any some every each ' +
    'other others another into onto out up off down over under about just only also not no nor yes now still already too very more ' +
    'most again back away one ones own itself themselves somebody someone something anyone anybody anything everybody everyone ' +
    'everything nobody nothing let lets make makes making s t don doesn isn aren didn won right hand ever because until while ' +
    'after before during between against behind beside within without through across along instead currently actually really ' +
    'exist exists belong belongs sorts ' +
    'lately recently today ever never always sometimes soon later earlier once twice together alone whole entire quite rather even ' +
    'much many lot lots bunch few several both either neither enough else well good bad better best nice such come comes came ' +
    'coming took taken know knows known think say says said happen happens happened mean means ' +
    'thing things stuff kind kinds sort way ways possible able go goes going gone got give gives gave'
  ).split(' '),
);

/** Longer texts are no words, and endings are sought in quadratic time. */
const LONGEST_WORD = 40;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const knownStems = new Map<string, string>();

/** Removes the commonest endings, so that `archived`, `archives` and `archiving` are one word. */
export function stemWord(word: string): string {
  if (word.length <= 3 || word.length > LONGEST_WORD || /\d/.test(word)) return word;
  let known = knownStems.get(word);
  if (known === undefined) {
    if (knownStems.size === MOST_KNOWN) knownStems.clear();
    knownStems.set(word, (known = stripEndings(word)));
  }
  return known;
}

function stripEndings(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/^(men|sk|[cgt]p)us$/, '$1u')
    .replace(/([^su])s$/, '$1');
  if (/^(?:sett|meet)ing$/.test(singular)) return singular;
  const bare = singular
    .replace(/^(.{3,})our(ite)?$/, '$1or$2')
    .replace(/^(.{4,})ll(ing|ed)$/, '$1l$2')
    .replace(/^(.{3,})ied$/, '$1y')
    .replace(/^(.{3,})ification$/, '$1ify')
    .replace(/^(.{4,})(?:ation|ment)$/, '$1')
    .replace(/^(.{3,}t)ion$/, '$1')
    .replace(/^(.*[aeiouy].*)(?:ing|ed)$/, (whole, rest: string) =>
      rest.length < 3 ? whole : undoubleEndConsonant(rest),
    );
  return bare.replace(/is$/, 'iz').replace(/^(.{3,})e$/, '$1');
}

function undoubleEndConsonant(word: string): string {
  return word.replace(/([bdfgmnprt])\1$/, '$1');
}

/** Words by which tools and questions name a kind of work. */
const VERB_WORDS: Readonly<Record<Exclude<Verb, 'other'>, string>> = {
  list: 'list search find query browse enumerate all see show view look display',
  get:
    'get read fetch retrieve show see view lookup look describe download info detail check open inspect export tell ' +
    'display validate verify test calculate compute estimate simulate evaluate compare analyze detect preview propose count',
  create:
    'create add new insert register open start post issue send upload put give assign enable attach make run trigger ' +
    'execute launch schedule book order buy generate submit record log save store copy clone fork duplicate import publish share ' +
    'invite join apply request write build draft allow let grant begin ask push charge pay define prepare connect link exchange ' +
    'tell notify warn remember keep call test validate verify reserve collect capture introduce compose',
  update:
    'update change edit modify rename patch adjust replace set overwrite fix move configure turn disable mark restore correct ' +
    'enable extend transfer switch toggle pause resume lock unlock approve reject reset let allow put give lower raise increase ' +
    'reduce refresh rotate convert merge save swap rewrite freeze suspend archive restart continue mute hide translate repair ' +
    'activate deactivate promote accept forbid block protect sort reorder alter amend revise tweak ' +
    'adapt',
  delete:
    'delete remove drop erase destroy clear purge cancel revoke stop wipe unassign detach rid throw close end kick take discard ' +
    'dismiss leave unfollow expel abort undo forget reset unpin unlink disconnect ban empty clean prune kill terminate withdraw ' +
    'scrap eliminate uninstall unsubscribe',
};

const VERB_OF: ReadonlyMap<string, readonly Verb[]> = mapWordsToVerbs();

function mapWordsToVerbs(): Map<string, Verb[]> {
  const verbs = new Map<string, Verb[]>();
  for (const [verb, words] of Object.entries(VERB_WORDS) as [Verb, string][])
    for (const word of words.split(' ').map(stemWord)) verbs.set(word, [...(verbs.get(word) ?? []), verb]);
  return verbs;
}

const QUESTION_WORDS: ReadonlySet<string> = new Set(
  'what which who whom whose when where why how is are was were am does do did has have had can could'.split(
    ' ',
  ),
);

/** Whether a question begins with the word: it asks, and changes nothing. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word);
}

/** Lists the kinds of work that a word may mean; none for most words. */
export function verbsOf(word: string): readonly Verb[] {
  return VERB_OF.get(word) ?? [];
}

const METHOD_VERBS: Readonly<Record<string, Verb>> = {
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'get',
  OPTIONS: 'get',
};

/** Finds the kind of work of a tool, by its words and its request. */
export function deriveVerb(name: string, summary: string, path: string, binding: Binding | undefined): Verb {
  const known = binding?.kind === 'http' ? ownMember(METHOD_VERBS, String(binding['method'])) : undefined;
  if (known !== undefined) return known;
  const words = [...splitWords(summary).slice(0, 1), ...splitWords(name)].map(stemWord);
  if (binding?.kind !== 'http') return words.flatMap(verbsOf)[0] ?? 'other';
  const isItem = /\}[^/]*$/.test(path);
  const said = words.filter((word) => word !== 'post').flatMap(verbsOf)[0];
  if (binding['method'] !== 'GET') return said ?? (isItem ? 'update' : 'create');
  return isItem ? 'get' : 'list';
}
