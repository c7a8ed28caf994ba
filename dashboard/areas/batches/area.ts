import type { Area } from '../../kit/area.ts'

export const batchesArea: Area = {
  pages: [
    {
      path: 'batches',
      permission: 'batches.read',
      nav: { group: 'money', label: 'batches', order: 30 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
