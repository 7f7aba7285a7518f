/** The keyboard, beyond what single elements do. */
import { signal } from '@preact/signals';

import { edits, reviewDraft, shown, stepBack } from './changes.ts';
import { VIEWS, active, go, goToView, route } from './state.ts';
import { focusField, isFilterWanted, moveCursor } from './surface/tool-list.ts';

export const isHelpOpen = signal(false);

export const KEYS: readonly [string, string][] = [
  ['/', 'filter the tools'],
  ['j k ↓ ↑', 'move in the list'],
  ['Enter', 'open the tool'],
  ['Space', 'serve the tool or not'],
  ['1 – 5', 'surface, tool, try, diff, findings'],
  ['Ctrl Enter', 'review the edits, or call the tool'],
  ['Ctrl Z', 'take back the last edit, written or not'],
  ['Esc', 'close, or leave the field'],
  ['?', 'these keys'],
];

/** An element that had the focus and is gone, or is disabled, leaves it to what it was in. */
function keepFocus(page: HTMLElement): void {
  let control: HTMLElement | undefined;
  let containers: HTMLElement[] = [];
  addEventListener('focusin', ({ target }) => {
    control = target as HTMLElement;
    containers = [];
    for (let box = control.parentElement; box !== null; box = box.parentElement)
      if (box.matches('[tabindex]')) containers.push(box);
  });
  new MutationObserver(() => {
    if (control === undefined || (control.isConnected && !control.matches(':disabled'))) return;
    if (document.activeElement !== document.body && document.activeElement !== control) return;
    const container = containers.find(({ isConnected }) => isConnected) ?? document.getElementById('main');
    container?.focus({ preventScroll: true });
  }).observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

export function listenToKeys(page: HTMLElement): void {
  keepFocus(page);
  addEventListener('keydown', (event) => {
    if (event.altKey || event.defaultPrevented) return;
    const isBlocked =
      shown.value !== undefined || isHelpOpen.value || document.querySelector('dialog[open]') !== null;
    if (isBlocked) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'Enter' && edits.value.length > 0) reviewDraft();
      if (event.key === 'z' && !event.shiftKey && !isTyping(event.target)) stepBack();
      return;
    }
    if (isTyping(event.target)) {
      if (event.key === 'Escape') leaveField(event.target as HTMLElement);
      return;
    }
    if (act(event.key)) event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.matches('input, textarea, select');
  return isField && !target.matches('input[type=checkbox], input[type=radio]');
}

function leaveField(field: HTMLElement): void {
  if (field.id === 'filter') focusList();
  else field.blur();
}

/** @returns whether the key means something */
function act(key: string): boolean {
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) goToView(view);
  else if (key === '?') isHelpOpen.value = true;
  else if (key === '/') focusFilter();
  else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1);
  else return false;
  return true;
}

function focusFilter(): void {
  const field = document.querySelector<HTMLInputElement>('#filter');
  if (field === null) {
    isFilterWanted.value = true;
    go('surface');
  } else focusField(field);
}

function focusList(): void {
  document.getElementById('tools')?.focus();
}

function move(by: number): void {
  moveCursor(by);
  const { view } = route.value;
  if (view === 'tool' || view === 'try') go(view, active.value);
  focusList();
}
