import { type Area, readsList } from '../../kit/area.ts'

export const webhooksArea: Area = {
  pages: [
    {
      path: 'webhooks',
      permission: 'webhooks.read',
      nav: { group: 'developers', label: 'webhooks', order: 10 },
      load: () => import('./webhooks-page.tsx'),
    },
    { path: 'webhooks/$id', permission: 'webhooks.read', load: () => import('./webhook-page.tsx') },
    {
      path: 'events',
      permission: 'events.read',
      nav: { group: 'developers', label: 'events', order: 20 },
      reads: readsList('GET /events'),
      load: () => import('./events-page.tsx'),
    },
    { path: 'events/$id', permission: 'events.read', load: () => import('./event-page.tsx') },
  ],
}
