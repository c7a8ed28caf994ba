import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const es: Translated<typeof en> = {
  billTitle: 'Cobrar las fechas perdidas',
  skipTitle: 'Omitir las fechas perdidas',
  charged: {
    one: 'Se cobra # factura en unos minutos.',
    other:
      'Se cobran # facturas, de la más antigua a la más reciente, una por minuto. Cada una espera a que se pague la anterior. Si una queda sin pagar tras todos sus intentos, se omiten las siguientes cuyo período terminó.',
  },
  noneCharged: 'No se cobra nada ahora.',
  skipped: {
    one: 'Se omite # factura cuyo período terminó. Su importe de {amount} no se cobra nunca.',
    other: 'Se omiten # facturas cuyo período terminó. Su importe de {amount} no se cobra nunca.',
  },
  chargedTable: 'Lo que se cobra',
  skippedTable: 'Lo que se omite',
  period: 'Período',
  amount: 'Importe',
  more: { one: 'y # más', other: 'y # más' },
  total: 'En total {total}, a la tarjeta {card}.',
  totalWithoutCard: 'En total {total}.',
  bill: 'Cobrar {total}',
  skip: { one: 'Omitir # factura', other: 'Omitir # facturas' },
  skipAndBill: { one: 'Omitir # factura y cobrar {total}', other: 'Omitir # facturas y cobrar {total}' },
  card_blocked: 'El emisor prohíbe cobrar a esta tarjeta. Cambie primero la tarjeta.',
  card_detached: 'La tarjeta fue desvinculada. Elija primero otra tarjeta.',
  contract_unsigned: 'No se cobra nada antes de que se firme el contrato.',
  billed: {
    one: 'Decidido. La factura sigue en unos minutos.',
    other: 'Decidido. Las facturas siguen en unos minutos.',
  },
  decided: 'Decidido',
}
