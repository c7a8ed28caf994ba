import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const frCA: Translated<typeof en> = {
  selected: { one: '# ligne sélectionnée', other: '# lignes sélectionnées' },
  noneSelected: 'Aucune ligne sélectionnée',
  selectAll: 'Sélectionner toutes les lignes de cette page',
  select: 'Sélectionner {name}',
  bar: 'Lignes sélectionnées',
  clear: 'Annuler la sélection',
  leftAsItWas: { one: '# ligne est restée telle quelle', other: '# lignes sont restées telles quelles' },
  failedOf: '{name} : {reason}',
}
