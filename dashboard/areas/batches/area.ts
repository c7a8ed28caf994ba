import type { Area } from '../../kit/area.ts'

export const batchesArea: Area = {
  pages: [
    {
      path: 'batches',
      permission: 'batches.read',
      nav: { group: 'money', label: 'batches', order: 30 },
      load: () => import('./batches-page.tsx'),
    },
    { path: 'batches/$id', permission: 'batches.read', load: () => import('./batch-page.tsx') },
  ],
}
