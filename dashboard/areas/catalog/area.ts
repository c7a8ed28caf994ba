import { type Area, readsList } from '../../kit/area.ts'

export const catalogArea: Area = {
  pages: [
    {
      path: 'products',
      permission: 'catalog.read',
      nav: { group: 'recurring', label: 'products', order: 30 },
      reads: readsList('GET /products'),
      load: () => import('./products-page.tsx'),
    },
    { path: 'products/$id', permission: 'catalog.read', load: () => import('./product-page.tsx') },
  ],
}
