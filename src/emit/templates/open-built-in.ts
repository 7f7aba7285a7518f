/** Built-in templates, compiled when mcpgen was built. A fault in one is a bug. */
import { readTemplates } from '../assets.ts';
import type { TemplateName } from '../views/template-views.ts';
import { ownHelpers } from './located-helpers.ts';
import type { Language } from './helpers.ts';

export type Render = (view: object, language: Language) => string;

export type HandlebarsTemplate = (view: object, options: { data: { language: Language } }) => string;

/** The part of Handlebars that renders what was compiled before; its package types that entry as empty. */
interface Environment {
  create: () => Environment;
  registerHelper: (helpers: Record<string, (...parameters: unknown[]) => unknown>) => void;
  template: (compiled: object) => HandlebarsTemplate;
}

export async function openBuiltIn(name: TemplateName): Promise<Render> {
  const { environment, templates } = await (builtIn ??= loadBuiltIn());
  return renderWith(environment.template(templates[name]));
}

export function renderWith(template: HandlebarsTemplate): Render {
  return (view, language) => template(view, { data: { language } });
}

interface BuiltIn {
  environment: Environment;
  templates: Record<TemplateName, object>;
}

let builtIn: Promise<BuiltIn> | undefined;

async function loadBuiltIn(): Promise<BuiltIn> {
  const [runtime, templates] = await Promise.all([import('handlebars/runtime.js'), readTemplates()]);
  const { default: handlebars } = runtime as unknown as { default: Environment };
  const environment = handlebars.create();
  environment.registerHelper(ownHelpers());
  return { environment, templates };
}
