import type { Area } from '../../kit/area.ts'

export const paymentsArea: Area = {
  pages: [
    {
      path: 'payments',
      permission: 'payments.read',
      nav: { group: 'money', label: 'payments', order: 10 },
      load: () => import('../../kit/to-come.tsx'),
    },
    {
      path: 'in-doubt',
      permission: 'payments.read',
      nav: { group: 'money', label: 'inDoubt', order: 40 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
