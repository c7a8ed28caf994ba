import type { Area } from '../../kit/area.ts'

export const homeArea: Area = {
  pages: [
    {
      path: 'home',
      permission: 'home.read',
      nav: { group: 'home', label: 'home', order: 10 },
      reads: () => [
        { name: 'GET /home', background: true, always: true },
        { name: 'GET /alerts', background: true, always: true },
      ],
      load: () => import('./home-page.tsx'),
    },
  ],
}
