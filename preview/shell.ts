import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { SurfaceView } from '../src/preview/protocol.ts';
import { undo } from './changes.ts';
import { DiffPage } from './diff-page.ts';
import { FindingsPage } from './findings-page.ts';
import { classes, htm } from './htm.ts';
import { KEYS, isHelpOpen } from './keys.ts';
import { FailureNote, Pick, Prose } from './parts/basics.ts';
import { Dialog } from './parts/dialog.ts';
import { Icon } from './parts/icons.ts';
import { ProposalDialog } from './parts/proposal-dialog.ts';
import {
  VIEWS,
  type ViewName,
  active,
  applied,
  dismiss,
  failure,
  hrefOf,
  isLive,
  notices,
  route,
  server,
  surface,
} from './state.ts';
import { DraftBar } from './surface/draft-bar.ts';
import { SurfacePage } from './surface/surface-page.ts';
import { ToolPage } from './tool/tool-page.ts';
import { TryPage } from './try/try-page.ts';

/** Each view with its title, and what a first visit is told. */
const PAGES = {
  surface: {
    Page: SurfacePage,
    title: 'Surface',
    intro: 'These are the tools that an AI client sees, what each costs it in tokens, and what to leave out.',
  },
  tool: {
    Page: ToolPage,
    title: 'Tool',
    intro: 'One tool: its source, what clients get of it, and the words that you can change.',
  },
  try: {
    Page: TryPage,
    title: 'Try',
    intro: 'Call a tool as a client would, and see what the model gets to read.',
  },
  diff: {
    Page: DiffPage,
    title: 'Diff',
    intro: 'What clients would notice, compared with the generated project or another document.',
  },
  findings: {
    Page: FindingsPage,
    title: 'Findings',
    intro: 'What makes the tools hard to use for a model, the gravest first.',
  },
};

export function Shell() {
  const { view } = route.value;
  const { Page, title } = PAGES[view];
  const now = surface.value;
  const name = now?.server.name;
  useEffect(() => {
    document.title = `${title} · ${name ?? 'mcpgen preview'}`;
  }, [title, name]);
  return htm`<a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Top} />
    <main id="main" tabindex="-1" aria-label=${title}>
      ${failure.value !== undefined && htm`<${FailureNote} failure=${failure.value} />`}
      ${now === undefined && failure.value === undefined && htm`<p class="empty">Compiling …</p>`}
      ${now !== undefined && htm`<${Stopped} view=${now} /><${Intro} view=${view} />`}
      ${now !== undefined && (now.compiled || view === 'findings') && htm`<${Page} /><${DraftBar} />`}
    </main>
    <${ProposalDialog} />
    ${isHelpOpen.value && htm`<${Help} />`}
    <${Notices} />`;
}

const SEEN = 'mcpgen-preview-seen';
const isNew = signal(localStorage.getItem(SEEN) === null);

/** On the first visit. */
function Intro({ view }: { view: ViewName }) {
  if (!isNew.value) return null;
  const close = (): void => {
    localStorage.setItem(SEEN, '1');
    isNew.value = false;
  };
  return htm`<p class="intro">${PAGES[view].intro} Nothing is written before you have reviewed it.<button type="button" class="small" onClick=${close}>Got it</button></p>`;
}

/** A source that stops compiling leaves what was shown in its place. */
function Stopped({ view: { compiled, fault, errors } }: { view: SurfaceView }) {
  if (fault === undefined) return null;
  const { message, file, line } = fault;
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;
  return htm`<div class="failure stopped" role="alert">
    <strong>The source does not compile</strong>
    <p>${place !== '' && htm`<span class="place">${place}</span> `}<${Prose} text=${message} /></p>
    <p><a href="#/findings">${errors > 1 ? `All ${errors} errors` : 'See the place'}</a>; ${compiled ? 'what is shown is of the time before, and changes wait.' : 'this page follows the file.'}</p>
  </div>`;
}

/** The address holds the view, so a fragment cannot be followed. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Top() {
  const view = surface.value;
  return htm`<header class="top">
    <p class="brand"><strong>mcpgen</strong><span>${view === undefined ? 'preview' : view.server.name}</span>${view !== undefined && htm`<span class="muted">${view.server.version}</span>`}</p>
    ${view !== undefined && view.servers.length > 1 && htm`<${Pick} label="Server" value=${server.value || view.server.name} options=${view.servers} onChange=${(to: string) => (server.value = to)} />`}
    <nav aria-label="Views"><ul>${VIEWS.map(
      (each, index) =>
        htm`<li><a class=${classes(each === route.value.view && 'is-on')} aria-current=${each === route.value.view ? 'page' : undefined} aria-keyshortcuts=${String(index + 1)} href=${hrefOf(each, each === 'tool' || each === 'try' ? active.value : '')}>${PAGES[each].title}</a></li>`,
    )}</ul></nav>
    <span class="spacer"></span>
    <span class=${classes('live', isLive.value && 'is-live')} title=${isLive.value ? 'Follows the source' : 'mcpgen preview has ended'}><i></i>${isLive.value ? 'live' : 'ended'}</span>
    <button type="button" disabled=${applied.value.length === 0} onClick=${() => void undo()}><${Icon} name="undo" /> Undo</button>
    <${ThemeButton} />
    <button type="button" class="bare" aria-label="Keys" title="Keys (?)" onClick=${() => (isHelpOpen.value = true)}><${Icon} name="keys" /></button>
  </header>`;
}

const THEMES = ['auto', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
const KEPT = 'mcpgen-preview-theme';
const theme = signal<Theme>(THEMES.find((each) => each === localStorage.getItem(KEPT)) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(KEPT, theme.value);
});

function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
  return htm`<button type="button" class="bare theme" aria-label=${`Colours: ${theme.value}. Change to ${next}`} title=${`Colours: ${theme.value}`} onClick=${() => (theme.value = next)}><${Icon} name=${THEME_ICONS[theme.value]} /></button>`;
}

function Help() {
  return htm`<${Dialog} title="Keys" onClose=${() => (isHelpOpen.value = false)}>
    <dl class="keys">${KEYS.map(([keys, meaning]) => htm`<div><dt>${keys.split(' ').map((key) => (key === '–' ? ` ${key} ` : htm`<kbd>${key}</kbd> `))}</dt><dd>${meaning}</dd></div>`)}</dl>
  <//>`;
}

function Notices() {
  return htm`<div class="notices" role="status" aria-live="polite">${notices.value.map(
    ({ id, text, isBad, action }) =>
      htm`<div key=${id} class=${classes('notice', isBad && 'is-bad')}><span><${Prose} text=${text} /></span>
        ${action !== undefined && htm`<button type="button" class="small" onClick=${() => run(id, action.run)}>${action.label}</button>`}
        <button type="button" class="bare" aria-label="Dismiss" onClick=${() => dismiss(id)}><${Icon} name="close" /></button></div>`,
  )}</div>`;
}

function run(id: number, work: () => void): void {
  dismiss(id);
  work();
}
