// The words of diagnostics, as they are shown: whole sentences, whatever stands in them.

interface Words {
  name: string;
  message: string;
  hint?: string;
}

/** What no sentence has, unless a person wrote it: `because` names it. */
const faults: { because: string; has: RegExp }[] = [
  { because: 'it has no end', has: /[^.?!)`"]$/ },
  { because: 'it ends twice', has: /(?:[?!,;:]|(?<!\.)\.)\.(?:$| \()/ },
  { because: 'something is missing in it', has: /\S {2,}\S|\s[.,;:](?:\s|$)|[:(]\s*[.)]$/ },
  { because: 'an object stands in it', has: /\[object / },
  { because: 'a space stands at its end', has: /^\s|\s$/ },
];

/** Why a text is no sentence to show; undefined where it is one. What is quoted in it is anybody's. */
export function illPut(text: string): string | undefined {
  const own = text.replace(/"(?:[^"\\]|\\.)*"|(`+)(?!`).*?[^`]\1(?!`)/gs, '"…"');
  return faults.find(({ has }) => has.test(own))?.because;
}

/** @throws {Error} that names each diagnostic whose message or hint is ill put */
export function expectWellPut(diagnostics: readonly Words[]): void {
  const ill = diagnostics.flatMap(({ name, message, hint = '' }) =>
    [message, hint].flatMap((text) => {
      const because = text === '' ? undefined : illPut(text);
      return because === undefined ? [] : [`${name}: ${because}: ${text}`];
    }),
  );
  if (ill.length > 0) throw new Error(ill.join('\n'));
}
