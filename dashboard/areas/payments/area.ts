import { type Area, readsList } from '../../kit/area.ts'

export const paymentsArea: Area = {
  pages: [
    {
      path: 'payments',
      permission: 'payments.read',
      nav: { group: 'money', label: 'payments', order: 10 },
      reads: readsList('GET /payments'),
      load: () => import('./payments-page.tsx'),
    },
    { path: 'payments/$id', permission: 'payments.read', load: () => import('./payment-page.tsx') },
    { path: 'sales/new', permission: 'payments.sell', load: () => import('./new-sale-page.tsx') },
    {
      path: 'in-doubt',
      permission: 'payments.read',
      nav: { group: 'money', label: 'inDoubt', order: 40 },
      load: () => import('./open-operations-page.tsx'),
    },
  ],
}
