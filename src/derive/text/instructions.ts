/** Finds listed texts that look like instructions to a model. */
import { readPattern } from '../../../templates/runtime/contract/regex/linear-patterns.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { cleanModel, type ListedText } from '../clean-model.ts';

/**
 * Patterns over lower-case text of one line. Normal descriptions must not match, since a warning that is often wrong
 * is ignored: "you must call this endpoint first" does not.
 */
const patterns = [
  // Overrides earlier instructions.
  String.raw`\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|of|these|those|every|everything) )*(?:previous|prior|above|earlier|preceding|other|system|original|initial|safety) (?:\w+ )?(?:instructions?|prompts?|directives?|messages?|rules|guidelines|guardrails|context)\b`,
  String.raw`\b(?:ignore|disregard|forget) (?:all )?your (?:\w+ )?(?:instructions?|prompts?|rules|guidelines|training)\b`,
  // Hides something from the user.
  String.raw`\b(?:do not|don't|never|without) (?:(?:ever|tell|mention|reveal|disclose|inform|telling|mentioning|revealing|disclosing|informing) )*(?:tell|mention|reveal|disclose|inform|telling|mentioning|revealing|disclosing|informing)(?: (?:this|it|that|anything|about|any|of))* (?:to )?(?:the |your )?(?:end )?(?:user|human)\b(?! (?:their|his|her|its)\b)`,
  String.raw`\b(?:do not|don't|never) let (?:the |your )(?:end )?(?:user|human) (?:know|see|notice|find out)\b`,
  String.raw`\b(?:hide|conceal|keep) (?:this|it|that)(?: (?:a )?(?:secret|hidden|call))? from (?:the |your )(?:end )?(?:user|human)\b`,
  String.raw`\b(?:user|human) (?:must|should) (?:not|never) (?:(?:know|notice|be told|find out)\b|see (?:this|it|that)\b)`,
  // Imitates another author.
  String.raw`<\s*/?\s*(?:important|system|critical|instructions?|assistant)\s*>`,
  String.raw`<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?inst\]|<</?sys>>`,
  String.raw`(?:^|[.!?\]>] )(?:#+ )?\[?(?:system|developer) ?(?:prompt|message|note|override)?\]?: (?:you (?:are|must|will|should|have|shall)|ignore|always|never|do not|don't|from now|the assistant|this)\b`,
  // Addresses the model.
  String.raw`\byou are (?:now )?(?:an? |the )?(?:helpful )?(?:ai|llm|language model|chatbot)\b`,
  String.raw`\b(?:dear|hey|attention,?|note to|instructions? (?:to|for)) (?:the |all |any )?(?:ai|llms?|language models?|assistants?|ai agents?|models?)\b[ ]?[:,!]`,
  // Mentions other tools, or files that no API has.
  String.raw`\b(?:before|after|when|whenever|prior to|instead of) (?:you )?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?) (?:this|any|any other|every|each|another|other) tools?\b,? (?:you (?:must|should|need)|(?:always |first |also |please )*(?:read|open|call|invoke|run|execute|use|send|pass|include|fetch|forward|copy)\b)`,
  String.raw`\byou must (?:(?:always|first|also|immediately|then) )*(?:call|invoke|use|run|execute) (?:this|the|that) (?:\S+ )?tool\b`,
  String.raw`\b(?:call|invoke|use|run|execute|send)\b[^.]{0,60}\bwith (?:the |this |your )?(?:full |entire |whole |complete )?(?:conversation|chat history)\b`,
  String.raw`\b(?:read|open|cat|send|upload|attach|include|pass|provide|copy|print)\b[^.]{0,60}(?:~/\.\w|\bid_rsa\b|\bid_ed25519\b|/etc/(?:passwd|shadow)\b|\.(?:ssh|aws|gnupg)/|\bmcp\.json\b)`,
  String.raw`\b(?:reveal|print|repeat|leak|send|include|append|output) (?:\w+ ){0,2}(?:your|the) (?:full |entire |hidden )?(?:system|developer|initial) prompt\b`,
];
const any = readPattern(patterns.map((pattern) => `(?:${pattern})`).join('|'));
const each = patterns.map((pattern) => ({ pattern, read: readPattern(pattern) }));
/** Texts are searched in parts, to bound the cost of one search. */
const PART = 20_000;
/** Overlap of two parts; no pattern is longer. */
const SHARED = 400;
const unmetered = { spend: () => undefined };

export function instructionIn(text: string): string | undefined {
  for (let start = 0; start < text.length; start += PART) {
    const words = instructionInPart(text.slice(start, start + PART + SHARED));
    if (words !== undefined) return words;
  }
  return undefined;
}

function instructionInPart(text: string): string | undefined {
  const line = text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
  if (!any.test(line, unmetered)) return undefined;
  const found = each.find(({ read }) => read.test(line, unmetered));
  const [words = line] = found === undefined ? [] : (new RegExp(found.pattern, 'u').exec(line) ?? []);
  return words.trim().slice(0, 120);
}

/** Cleans the model, and reports instruction-like texts at their item. */
export function cleanAndReport(model: ServerModel, diagnostics: DiagnosticCollector): ServerModel {
  const seen = new Set<string>();
  return cleanModel(model, ({ text, what, origin }: ListedText) => {
    if (seen.has(text)) return;
    seen.add(text);
    const words = instructionIn(text);
    if (words !== undefined) diagnostics.report('instruction-like-text', { what, words }, { at: origin });
  });
}
