/** Paths for a canvas of 24 by 24, drawn with strokes. */
const PATHS = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  money: 'M3 6h18v12H3zM3 10h18M7 15h4',
  recurring: 'M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5',
  customers: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2 21c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 7M18 15c2.5.6 4 2.5 4 6',
  developers: 'm8 7-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  good: 'm5 13 4 4L19 7',
  warn: 'M12 4 2.5 20h19zM12 10v4M12 17v.5',
  bad: 'm6 6 12 12M18 6 6 18',
  info: 'M12 11v6M12 7v.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
  plain: 'M6 12h12',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  menu: 'M4 7h16M4 12h16M4 17h16',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 3.5-6 8-6s8 2 8 6',
  down: 'm6 9 6 6 6-6',
  left: 'm15 6-6 6 6 6',
  right: 'm9 6 6 6-6 6',
  download: 'M12 4v11M7 10l5 5 5-5M4 20h16',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  filter: 'M4 6h16M7 12h10M10 18h4',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17v.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 12h9M18 12v4',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon beside a text with the same meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
