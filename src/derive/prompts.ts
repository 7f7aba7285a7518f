/** Prompts of the source. `{{name}}` marks where an argument's value goes. */
import type { CompletionBinding } from '../model/bindings.ts';
import type { ListedPromptArgument } from '../model/listed-items.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Prompt } from '../model/server-model.ts';
import type { SourceModel, SourcePrompt, SourcePromptArgument } from '../model/source-model.ts';
import { omitUndefined, groupBy } from '../util/collections.ts';
import { cleanName } from './names/clean-name.ts';
import { fitName, addHash, addSuffix } from './names/shorter-name.ts';
import type { DeriveSettings } from './options.ts';
import type { TemplateVariable } from './resources.ts';
import { htmlToPlainText, htmlToTitle } from './text/plain-text.ts';
import { toSentenceCase } from './text/tool-text.ts';
import { findFreeName } from '../util/free-name.ts';

interface PromptSurface {
  prompts: Prompt[];
  completions: CompletionBinding[];
}

interface NamedArgument {
  name: string;
  source: SourcePromptArgument;
}

export function derivePrompts(
  { capabilities }: SourceModel,
  { maxItemName, prefix }: Pick<DeriveSettings, 'maxItemName' | 'prefix'>,
  diagnostics: DiagnosticCollector,
): PromptSurface {
  const sources = capabilities.filter((capability) => capability.kind === 'prompt');
  const toBase = ({ name }: SourcePrompt): string =>
    fitName(`${prefix}${cleanName(name) || 'prompt'}`, maxItemName);
  const bases = groupBy(sources, toBase);
  const takenNames = new Set<string>();
  const surface: PromptSurface = { prompts: [], completions: [] };
  for (const source of sources) {
    const base = toBase(source);
    // Several are separated by what they say, never by their order.
    const isAlone = bases.get(base)?.length === 1;
    const text = JSON.stringify([source.name, source.messages]);
    const wish = isAlone ? base : addHash(base, text, maxItemName);
    const prompt = freePromptName(wish, takenNames, maxItemName);
    takenNames.add(prompt);
    const from = `${prefix}${source.name}`;
    if (prompt !== from) {
      const parameters = { from: `The prompt "${from}"`, to: `\`${prompt}\`` };
      const why = 'the name is taken or invalid';
      const fix = 'Change its `name` in `x-mcp-prompts`';
      diagnostics.report('name-cleaned', { ...parameters, why, fix }, { at: source.origin });
    }
    const takenArguments = new Set<string>();
    const args = source.arguments.map((argument) => {
      const name = freePromptName(fitName(cleanName(argument.name) || 'value', 64), takenArguments);
      takenArguments.add(name);
      if (name !== argument.name)
        diagnostics.report(
          'argument-renamed',
          { from: argument.name, to: name, of: `of the prompt \`${prompt}\`` },
          { at: source.origin },
        );
      return { name, source: argument };
    });
    surface.prompts.push(makePrompt(source, prompt, args));
    for (const { name, source } of args)
      surface.completions.push(...valueCompletions({ kind: 'prompt', name: prompt }, name, source.values));
  }
  return surface;
}

function freePromptName(name: string, takenNames: ReadonlySet<string>, limit = 64): string {
  return findFreeName(
    name,
    (free) => takenNames.has(free),
    (number) => addSuffix(name, String(number), limit),
  );
}

function makePrompt(source: SourcePrompt, name: string, args: readonly NamedArgument[]): Prompt {
  const description = htmlToPlainText(source.description ?? '');
  return {
    name,
    title: htmlToTitle(source.title ?? '') || toSentenceCase(source.name) || name,
    ...(description === '' ? {} : { description }),
    ...omitUndefined({ icons: source.icons, _meta: source._meta }),
    ...(args.length === 0 ? {} : { arguments: args.map(listedArgument) }),
    binding: {
      kind: 'template',
      messages: source.messages.map(({ role, text }) => ({
        role,
        text: renamePlaceholders(text, args),
      })),
    },
    origin: source.origin,
  };
}

function listedArgument({ name, source }: NamedArgument): ListedPromptArgument {
  const title = htmlToTitle(source.title ?? '');
  const description = htmlToPlainText(source.description ?? '');
  return {
    name,
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...(source.required ? { required: true } : {}),
  };
}

function renamePlaceholders(text: string, args: readonly NamedArgument[]): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, placeholder: string) => {
    const argument = args.find(({ source }) => source.name === placeholder.trim());
    return argument === undefined ? whole : `{{${argument.name}}}`;
  });
}

export function makeTemplateCompletions(
  uri: string,
  variables: readonly TemplateVariable[],
): CompletionBinding[] {
  return variables.flatMap(({ name, value }) =>
    valueCompletions({ kind: 'resource', uri }, name, value.values),
  );
}

function valueCompletions(
  ref: CompletionBinding['ref'],
  argument: string,
  values: readonly string[] | undefined,
): CompletionBinding[] {
  if (values === undefined || values.length === 0) return [];
  return [{ ref, argument, from: { kind: 'values', values: [...new Set(values)] } }];
}
