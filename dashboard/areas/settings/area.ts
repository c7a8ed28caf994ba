import type { Area } from '../../kit/area.ts'

export const settingsArea: Area = {
  pages: [
    {
      path: 'settings',
      permission: 'settings.read',
      nav: { group: 'settings', label: 'settings', order: 10 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
