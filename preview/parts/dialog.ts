import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { classes, htm } from '../htm.ts';
import { Icon } from './icons.ts';

interface Properties {
  title: string;
  onClose: () => void;
  children?: ComponentChildren;
  /** Buttons at the end. */
  actions?: ComponentChildren;
  isWide?: boolean;
}

/** A modal `<dialog>`: the browser keeps the focus in it and closes it on Escape. */
export function Dialog({ title, onClose, children, actions, isWide }: Properties) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  const leave = (event: MouseEvent): void => {
    if (event.target === box.current) onClose();
  };
  return htm`<dialog ref=${box} class=${classes('dialog', isWide && 'is-wide')} aria-labelledby="dialog-title" onCancel=${close} onClick=${leave}>
    <header><h2 id="dialog-title">${title}</h2><button type="button" class="bare" aria-label="Close" onClick=${onClose}><${Icon} name="close" /></button></header>
    <div class="dialog-body">${children}</div>
    <footer>${actions}</footer>
  </dialog>`;
}
