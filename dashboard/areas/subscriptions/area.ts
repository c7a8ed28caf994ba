import { type Area, readsList } from '../../kit/area.ts'

export const subscriptionsArea: Area = {
  pages: [
    {
      path: 'subscriptions',
      permission: 'subscriptions.read',
      nav: { group: 'recurring', label: 'subscriptions', order: 10 },
      reads: readsList('GET /subscriptions'),
      load: () => import('./subscriptions-page.tsx'),
    },
    {
      path: 'subscriptions/new',
      permission: 'subscriptions.write',
      load: () => import('./new-subscription-page.tsx'),
    },
    { path: 'subscriptions/$id', permission: 'subscriptions.read', load: () => import('./subscription-page.tsx') },
  ],
}
