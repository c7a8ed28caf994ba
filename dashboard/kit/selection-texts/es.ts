import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const es: Translated<typeof en> = {
  selected: { one: '# fila seleccionada', other: '# filas seleccionadas' },
  noneSelected: 'Ninguna fila seleccionada',
  selectAll: 'Seleccionar todas las filas de esta página',
  select: 'Seleccionar {name}',
  bar: 'Filas seleccionadas',
  clear: 'Quitar la selección',
  leftAsItWas: { one: '# fila quedó como estaba', other: '# filas quedaron como estaban' },
  failedOf: '{name}: {reason}',
}
