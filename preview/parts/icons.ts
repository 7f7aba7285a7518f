import { htm } from '../htm.ts';

const PATHS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  auto: 'M8 2a6 6 0 1 0 0 12Zm0 0a6 6 0 0 1 0 12',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  pin: 'M6 2h4l-.5 4L12 9H4l2.5-3L6 2ZM8 9v5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5l3 3 7-7',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  play: 'M5 3l8 5-8 5Z',
  keys: 'M2 4h12v8H2ZM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.7h6',
} as const;

/** Drawings beside words; screen readers skip them. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return htm`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
