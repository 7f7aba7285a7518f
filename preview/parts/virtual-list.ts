import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChild } from 'preact';

import { htm } from '../htm.ts';

interface Properties {
  count: number;
  /** In pixels; all rows are equally high. */
  rowHeight: number;
  /** The row that the cursor is on; it is kept in sight. */
  cursor: number;
  render: (index: number) => ComponentChild;
}

/** Rows beyond both edges, so that fast scrolling shows no gaps. */
const SPARE = 5;

/** Has only the rows in sight as elements. The element around it scrolls. */
export function VirtualList({ count, rowHeight, cursor, render }: Properties) {
  const box = useRef<HTMLDivElement>(null);
  const [{ first, last }, setRange] = useState({ first: 0, last: 40 });

  const measure = (): void => {
    const scroller = box.current?.parentElement;
    if (!scroller) return;
    const from = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - SPARE);
    const to = Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + SPARE;
    setRange((before) => (before.first === from && before.last === to ? before : { first: from, last: to }));
  };

  useEffect(() => {
    const scroller = box.current?.parentElement;
    if (!scroller) return;
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    scroller.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', measure);
    };
  }, []);

  useLayoutEffect(measure, [count]);

  useLayoutEffect(() => {
    const scroller = box.current?.parentElement;
    if (!box.current || !scroller || cursor < 0) return;
    const top = cursor * rowHeight;
    const room = scroller.clientHeight - box.current.offsetTop;
    // The first row lies below the heading of its group.
    if (top < scroller.scrollTop + rowHeight) scroller.scrollTop = top - rowHeight;
    else if (top + rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + rowHeight - room;
  }, [cursor, count]);

  const shown = [];
  for (let index = first; index < Math.min(last, count); index += 1)
    shown.push(
      htm`<div key=${index} role="presentation" class="virtual-row" style=${{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}>${render(index)}</div>`,
    );
  return htm`<div ref=${box} role="presentation" class="virtual" style=${{ height: `${count * rowHeight}px` }}>${shown}</div>`;
}
