import { type Area, readsList } from '../../kit/area.ts'

export const customersArea: Area = {
  pages: [
    {
      path: 'customers',
      permission: 'customers.read',
      nav: { group: 'customers', label: 'customers', order: 10 },
      reads: readsList('GET /customers'),
      load: () => import('./customers-page.tsx'),
    },
    { path: 'customers/new', permission: 'customers.write', load: () => import('./new-customer-page.tsx') },
    {
      path: 'customers/$customer/letters',
      permission: 'customers.read',
      load: () => import('./customer-letters-page.tsx'),
    },
    { path: 'customers/$id', permission: 'customers.read', load: () => import('./customer-page.tsx') },
  ],
}
