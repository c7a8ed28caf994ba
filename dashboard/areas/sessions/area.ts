import type { Area } from '../../kit/area.ts'

export const sessionsArea: Area = {
  pages: [
    {
      path: 'sessions',
      permission: 'payments.read',
      nav: { group: 'money', label: 'sessions', order: 20 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
