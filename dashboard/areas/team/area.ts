import type { Area } from '../../kit/area.ts'

export const teamArea: Area = {
  pages: [
    {
      path: 'team',
      permission: 'team.read',
      nav: { group: 'settings', label: 'team', order: 20 },
      load: () => import('./team-page.tsx'),
    },
    { path: 'team/roles', permission: 'team.read', load: () => import('./roles-page.tsx') },
    {
      path: 'audit',
      permission: 'audit.read_own',
      nav: { group: 'settings', label: 'audit', order: 30 },
      load: () => import('./audit-page.tsx'),
    },
    { path: 'audit/$id', permission: 'audit.read_own', load: () => import('./audit-entry-page.tsx') },
  ],
}
