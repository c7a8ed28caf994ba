import type { Area } from '../../kit/area.ts'

export const webhooksArea: Area = {
  pages: [
    {
      path: 'webhooks',
      permission: 'webhooks.read',
      nav: { group: 'developers', label: 'webhooks', order: 10 },
      load: () => import('../../kit/to-come.tsx'),
    },
    {
      path: 'events',
      permission: 'events.read',
      nav: { group: 'developers', label: 'events', order: 20 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
