// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words of tools and of questions: how texts are split, which words say nothing, stems, and kinds of work. */

/** Splits texts and names: `listPetsByTag` has `list`, `pets`, `by` and `tag`. */
export function splitWords(text: string): string[] {
  const runs = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (/^[A-Za-z\d][a-z\d]*$/.test(run)) return [run.toLowerCase()];
    const spaced = run
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2');
    return spaced.toLowerCase().split(' ').flatMap(splitUnspacedScript);
  });
}

/** Without the words that say nothing. */
export function stemsOf(text: string): string[] {
  return splitWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemWord);
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
const MAX_WORD = 40;

const stems = new Map<string, string>();
const MAX_STEMS = 10_000;

/** Removes the commonest endings, so that `archived`, `archives` and `archiving` are one word. */
export function stemWord(word: string): string {
  if (word.length <= 3 || word.length > MAX_WORD || /\d/.test(word)) return word;
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  const stem = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/^(.{3,})ied$/, '$1y')
    .replace(/^(.{4,})(?:ation|ment)$/, '$1')
    .replace(/^(.{3,}t)ion$/, '$1')
    .replace(/^(.*[aeiouy].{2,})(?:ing|ed)$/, '$1')
    .replace(/([bdfgmnprt])\1$/, '$1')
    .replace(/^(.{3,})e$/, '$1');
  if (stems.size === MAX_STEMS) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** The kinds of work by which questions and tools are compared. */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete' | 'other';

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

/** Lists the kinds of work that a word may mean; none for most words. */
export function verbsOf(word: string): readonly Verb[] {
  return VERB_OF.get(stemWord(word)) ?? [];
}
