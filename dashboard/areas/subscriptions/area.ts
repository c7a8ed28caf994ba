import type { Area } from '../../kit/area.ts'

export const subscriptionsArea: Area = {
  pages: [
    {
      path: 'subscriptions',
      permission: 'subscriptions.read',
      nav: { group: 'recurring', label: 'subscriptions', order: 10 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
