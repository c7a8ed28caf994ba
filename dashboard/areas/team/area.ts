import type { Area } from '../../kit/area.ts'

export const teamArea: Area = {
  pages: [
    {
      path: 'team',
      permission: 'team.read',
      nav: { group: 'settings', label: 'team', order: 20 },
      load: () => import('../../kit/to-come.tsx'),
    },
    {
      path: 'audit',
      permission: 'audit.read_own',
      nav: { group: 'settings', label: 'audit', order: 30 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
