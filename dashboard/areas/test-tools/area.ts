import type { Area } from '../../kit/area.ts'

export const testToolsArea: Area = {
  pages: [
    {
      path: 'test',
      permission: 'test.use',
      stagingOnly: true,
      nav: { group: 'developers', label: 'testTools', order: 70 },
      load: () => import('../../kit/to-come.tsx'),
    },
  ],
}
