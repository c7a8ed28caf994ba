import type { Area } from '../../kit/area.ts'

export const customersArea: Area = {
  pages: [
    {
      path: 'customers',
      permission: 'customers.read',
      nav: { group: 'customers', label: 'customers', order: 10 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
