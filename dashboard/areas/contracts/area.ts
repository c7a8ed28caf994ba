import type { Area } from '../../kit/area.ts'

export const contractsArea: Area = {
  pages: [
    {
      path: 'contracts',
      permission: 'contracts.read',
      nav: { group: 'recurring', label: 'contracts', order: 40 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
