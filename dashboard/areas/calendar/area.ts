import type { Area } from '../../kit/area.ts'

export const calendarArea: Area = {
  pages: [
    {
      path: 'calendar',
      permission: 'subscriptions.read',
      nav: { group: 'recurring', label: 'calendar', order: 20 },
      load: () => import('./calendar-page.tsx'),
    },
  ],
}
