import type { Area } from '../../kit/area.ts'

export const homeArea: Area = {
  pages: [
    {
      path: 'home',
      permission: 'home.read',
      nav: { group: 'home', label: 'home', order: 10 },
      reads: () => [
        { name: 'GET /home', background: true },
        { name: 'GET /alerts', background: true },
      ],
      load: () => import('./home-page.tsx'),
    },
  ],
}
